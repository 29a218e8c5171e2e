// The door decimal: arithmetic without binary fractions.
package export_wit_world

import (
	"math/big"
	"strings"

	wit_types "go.bytecodealliance.org/pkg/wit/types"
)

func Calculate(expression string, digits wit_types.Option[uint32]) wit_types.Result[string, string] {
	value, err := calculate(expression)
	if err != "" {
		return wit_types.Err[string, string](err)
	}
	places := min(digits.SomeOr(20), 1000)
	return wit_types.Ok[string, string](written(value, int(places)))
}

// All digits where they have an end, else as many as there are places for.
func written(value *big.Rat, places int) string {
	exact, ends := value.FloatPrec()
	if ends && exact <= places {
		return value.FloatString(exact)
	}
	text := strings.TrimRight(value.FloatString(places), "0")
	text = strings.TrimSuffix(text, ".")
	if text == "-0" || text == "" {
		return "0"
	}
	return text
}
