const same = (v) => v;

export const echo = {
  truth: same,
  tiny: same,
  byte: same,
  short: same,
  word: same,
  signed: same,
  unsigned: same,
  long: same,
  longest: same,
  single: same,
  double: same,
  letter: same,
  text: same,
  bytes: same,
  texts: same,
  pairs: same,
  place: same,
  figure: same,
  grade: same,
  may: same,
  perhaps: same,
  doubt: same,
  came: same,
  fails(v) {
    throw v;
  },
};
