package data

import (
	"bytes"
	"errors"
	"math/big"
	"strings"

	"github.com/minilockd/minilockd/command"
)

// Floats are incremented in the type long double of C. On amd64 that is the 80-bit format of the x87: a mantissa of 64
// bits and exponents up to 2^16384. A big.Float of 64 bits rounds exactly like it, but has a larger range, and neither
// reads what strtold reads nor prints like %.17Lf of printf. Redis on other machines may reply other digits.

// The limits of the 80-bit format, and what Redis reads and prints of it.
const (
	longDoubleBits   = 64
	longDoubleMaxExp = 16384    // values are less than 2^16384
	longDoubleMinExp = -16445   // the least positive value is 2^-16445
	longDoubleDigits = 17       // decimal places, before trailing zeros are removed
	longDoubleInput  = 5 * 1024 // bytes; string2ld takes no longer input (MAX_LONG_DOUBLE_CHARS)
)

// errNotFinite is for a sum that is not finite, whether an operand was infinite or the sum is too large.
var errNotFinite = errors.New("ERR increment would produce NaN or Infinity")

// newLongDouble returns 0 with the precision of a long double. All sums need it: a big.Float without a precision takes
// that of its operands.
func newLongDouble() *big.Float { return new(big.Float).SetPrec(longDoubleBits) }

// parseLongDouble reads a decimal or hexadecimal number, or an infinity. A number that is too large, or would round
// to zero, is an error: strtold reports ERANGE for it.
func parseLongDouble(b []byte) (*big.Float, error) {
	if len(b) == 0 || len(b) >= longDoubleInput {
		return nil, command.ErrNotFloat
	}
	text := strings.ToLower(string(b))
	unsigned := strings.TrimLeft(text[:1], "+-") + text[1:]
	if unsigned == "inf" || unsigned == "infinity" {
		return newLongDouble().SetInf(text[0] == '-'), nil
	}
	allowed := "0123456789.+-e"
	if strings.HasPrefix(unsigned, "0x") {
		allowed += "abcdfxp"
	}
	// big.Rat takes more than strtold: fractions, underscores, other bases.
	if strings.Trim(text, allowed) != "" {
		return nil, command.ErrNotFloat
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, command.ErrNotFloat
	}
	return roundLongDouble(exact)
}

// roundLongDouble returns the nearest long double. It is an error for a number whose nearest is infinite, and one other
// than zero whose nearest is zero.
func roundLongDouble(exact *big.Rat) (*big.Float, error) {
	f := newLongDouble().SetRat(exact)
	exp := f.MantExp(nil) // f is less than 2^exp and not less than half of that
	if exp > longDoubleMaxExp || f.Sign() != 0 && exp < longDoubleMinExp {
		return nil, command.ErrNotFloat
	}
	return f, nil
}

// addLongDoubles returns a + b, or errNotFinite if the sum is not finite.
func addLongDoubles(a, b *big.Float) (*big.Float, error) {
	if a.IsInf() || b.IsInf() {
		return nil, errNotFinite
	}
	sum := newLongDouble().Add(a, b)
	if sum.MantExp(nil) > longDoubleMaxExp {
		return nil, errNotFinite
	}
	return sum, nil
}

// formatLongDouble prints up to 17 decimal places and never an exponent (command page).
func formatLongDouble(f *big.Float) []byte {
	text := f.Append(nil, 'f', longDoubleDigits)
	text = bytes.TrimRight(text, "0")
	text = bytes.TrimSuffix(text, []byte("."))
	if string(text) == "-0" {
		return text[1:]
	}
	return text
}
