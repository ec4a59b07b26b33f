package data

import (
	"bytes"
	"errors"
	"math/big"
	"strings"

	"github.com/minilockd/minilockd/command"
)

// INCRBYFLOAT and HINCRBYFLOAT compute in C's long double. On the machines Redis usually runs on that is the 80-bit
// format of the x87: a mantissa of 64 bits and exponents up to 2^16384. A big.Float of 64 bits rounds exactly like it;
// what remains to be done is its range, and the notation that strtold reads and printf's %.17Lf writes.

const (
	longDoubleBits   = 64
	longDoubleMaxExp = 16384  // values are less than 2^16384
	longDoubleMinExp = -16445 // the least positive value is 2^-16445
	longDoubleDigits = 17     // behind the point, before trailing zeros go
	longDoubleInput  = 5 * 1024
)

var errNotFinite = errors.New("ERR increment would produce NaN or Infinity")

func newLongDouble() *big.Float { return new(big.Float).SetPrec(longDoubleBits) }

// parseLongDouble reads a decimal or hexadecimal number or an infinity. What is too large, or so small that only zero
// is left of it, is no number.
func parseLongDouble(b []byte) (*big.Float, error) {
	if len(b) == 0 || len(b) >= longDoubleInput {
		return nil, command.ErrNotFloat
	}
	text := strings.ToLower(string(b))
	unsigned := strings.TrimLeft(text[:1], "+-") + text[1:]
	if unsigned == "inf" || unsigned == "infinity" {
		return newLongDouble().SetInf(text[0] == '-'), nil
	}
	alphabet := "0123456789.+-e"
	if strings.HasPrefix(unsigned, "0x") {
		alphabet += "abcdfxp"
	}
	if strings.Trim(text, alphabet) != "" {
		return nil, command.ErrNotFloat
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, command.ErrNotFloat
	}
	return roundLongDouble(exact)
}

// roundLongDouble is the nearest long double, or an error where there is none that is finite, or not zero.
func roundLongDouble(exact *big.Rat) (*big.Float, error) {
	f := newLongDouble().SetRat(exact)
	exp := f.MantExp(nil) // f is less than 2^exp and not less than half of that
	if exp > longDoubleMaxExp || f.Sign() != 0 && exp < longDoubleMinExp {
		return nil, command.ErrNotFloat
	}
	return f, nil
}

// addLongDoubles is a + b, or the error that Redis answers where that is not finite.
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

// formatLongDouble prints up to 17 decimal places, never an exponent.
func formatLongDouble(f *big.Float) []byte {
	text := f.Append(nil, 'f', longDoubleDigits)
	text = bytes.TrimRight(text, "0")
	text = bytes.TrimSuffix(text, []byte("."))
	if string(text) == "-0" {
		return text[1:]
	}
	return text
}
