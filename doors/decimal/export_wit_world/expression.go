package export_wit_world

import (
	"fmt"
	"math/big"
	"strings"
)

// A reader of an expression, at a byte of it.
type reader struct {
	text  string
	at    int
	depth int
	err   string
}

func calculate(text string) (*big.Rat, string) {
	r := &reader{text: text}
	value := r.sum()
	r.space()
	if r.err == "" && r.at < len(r.text) {
		r.fail("an operator or the end")
	}
	return value, r.err
}

func (r *reader) sum() *big.Rat {
	value := r.product()
	for r.err == "" {
		switch r.next("+-") {
		case '+':
			value = new(big.Rat).Add(value, r.product())
		case '-':
			value = new(big.Rat).Sub(value, r.product())
		default:
			return value
		}
	}
	return value
}

func (r *reader) product() *big.Rat {
	value := r.factor()
	for r.err == "" {
		switch r.next("*/") {
		case '*':
			value = new(big.Rat).Mul(value, r.factor())
		case '/':
			by := r.factor()
			if r.err != "" {
				return value
			}
			if by.Sign() == 0 {
				r.err = "expected a divisor other than zero"
				return value
			}
			value = new(big.Rat).Quo(value, by)
		default:
			return value
		}
	}
	return value
}

func (r *reader) factor() *big.Rat {
	// A hostile text is not to use up the stack.
	if r.depth++; r.depth > 500 {
		r.err = "expected at most 500 signs and brackets within one another"
		return new(big.Rat)
	}
	defer func() { r.depth-- }()
	switch r.next("+-(") {
	case '+':
		return r.factor()
	case '-':
		return new(big.Rat).Neg(r.factor())
	case '(':
		value := r.sum()
		if r.err == "" && r.next(")") == 0 {
			r.fail("a closing bracket")
		}
		return value
	}
	return r.number()
}

func (r *reader) number() *big.Rat {
	r.space()
	start := r.at
	for r.at < len(r.text) && strings.IndexByte("0123456789.", r.text[r.at]) >= 0 {
		r.at++
	}
	digits := r.text[start:r.at]
	value, well := new(big.Rat).SetString(digits)
	if !well || len(digits) > 1000 {
		r.at = start
		r.fail("a number such as 12.5")
		return new(big.Rat)
	}
	return value
}

// The next character, if it is one of these.
func (r *reader) next(of string) byte {
	r.space()
	if r.at < len(r.text) && strings.IndexByte(of, r.text[r.at]) >= 0 {
		r.at++
		return r.text[r.at-1]
	}
	return 0
}

func (r *reader) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\n\r", r.text[r.at]) >= 0 {
		r.at++
	}
}

func (r *reader) fail(expected string) {
	if r.err != "" {
		return
	}
	found := "the end"
	if r.at < len(r.text) {
		found = fmt.Sprintf("%q", r.text[r.at:min(len(r.text), r.at+10)])
	}
	r.err = fmt.Sprintf("expected %s at character %d, found %s", expected, r.at+1, found)
}
