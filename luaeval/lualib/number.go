package lualib

import (
	"math"
	"strconv"
)

// How a number is written depends on who writes it: tostring, .. and table.concat round to 14 digits, as Lua does,
// redis.call passes 17, so that a score comes back as it was, and cjson has a setting. All write integers without a
// point as long as they have no more digits than that, and 1e+15 beyond. The texts of inf and nan are those of the C
// library on Linux.

const (
	// textPrecision is LUAI_NUMFFORMAT: Lua 5.1 writes every number with "%.14g".
	textPrecision = 14
	// argumentPrecision is what redis.call uses for numbers among its arguments: "%.17g", so that nothing is lost.
	argumentPrecision = 17
)

// FormatNumber returns f as Lua 5.1 writes it ("%.14g" of C): 3, 0.1, 1e+15, inf, -nan. Small integers cost no
// allocation.
func FormatNumber(f float64) string {
	if i, ok := smallInt(f); ok {
		return smallTexts[i]
	}
	var buffer [32]byte
	return string(AppendNumber(buffer[:0], f))
}

// AppendNumber appends the text of [FormatNumber] to dst.
func AppendNumber(dst []byte, f float64) []byte { return appendShort(dst, f, textPrecision) }

// FormatArgument returns f as redis.call passes it to a command ("%.17g" of C): 3, 0.10000000000000001, 1e+17, inf.
func FormatArgument(f float64) string {
	if i, ok := smallInt(f); ok {
		return smallTexts[i]
	}
	var buffer [32]byte
	return string(AppendArgument(buffer[:0], f))
}

// AppendArgument appends the text of [FormatArgument] to dst.
func AppendArgument(dst []byte, f float64) []byte { return appendShort(dst, f, argumentPrecision) }

// appendShort appends f as printf writes it by "%.<precision>g", for precisions from 1 to 17. Integers of fewer digits
// take a shorter way.
func appendShort(dst []byte, f float64, precision int) []byte {
	if math.Abs(f) < powersOfTen[precision] && f == math.Trunc(f) && (f != 0 || !math.Signbit(f)) {
		return strconv.AppendInt(dst, int64(f), 10)
	}
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return appendNonFinite(dst, f)
	}
	return strconv.AppendFloat(dst, f, 'g', precision, 64)
}

// powersOfTen are the first integers that "%.<index>g" writes with an exponent.
var powersOfTen = [argumentPrecision + 1]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
}

// appendNonFinite appends inf or nan as C does, with the sign of a NaN: on x86-64 0/0 is -nan.
func appendNonFinite(dst []byte, f float64) []byte {
	if math.Signbit(f) {
		dst = append(dst, '-')
	}
	if math.IsNaN(f) {
		return append(dst, "nan"...)
	}
	return append(dst, "inf"...)
}
