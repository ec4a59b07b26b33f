package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/words"
)

// kind checks the value of a parameter and converts it to the form that CONFIG GET shows.
type kind func(value string) (canonical string, err error)

// bytesValue takes any bytes. Other texts end at the first NUL, since Redis keeps them as strings of C.
func bytesValue(value string) (string, error) { return value, nil }

// wordsOf splits a value of several words at each blank, so two blanks have an empty word between them. A word ends at
// its first NUL.
func wordsOf(value string) []string {
	parts := strings.Split(value, " ")
	for i := range parts {
		parts[i] = words.UntilNUL(parts[i])
	}
	return parts
}

// integerValue takes an integer between low and high, without a sign + or leading zeros.
func integerValue(low, high int64) kind {
	return func(value string) (string, error) {
		n, ok := num.ParseInt([]byte(value))
		if !ok {
			return "", errInteger
		}
		return valueInRange(n, low, high)
	}
}

// valueInRange returns n as a text, or the error for a number outside of the range.
func valueInRange(n, low, high int64) (string, error) {
	if n < low || n > high {
		return "", outOfRange(low, high)
	}
	return strconv.FormatInt(n, 10), nil
}

// outOfRange returns the error for a number that is not between low and high, in the words of Redis.
func outOfRange(low, high int64) error {
	return fmt.Errorf("argument must be between %d and %d inclusive", low, high)
}

// memoryUnits are the units of a size by suffix, in bytes (redis.conf).
var memoryUnits = map[string]uint64{
	"": 1, "b": 1, "k": 1e3, "kb": 1 << 10, "m": 1e6, "mb": 1 << 20, "g": 1e9, "gb": 1 << 30,
}

// memoryValue takes a number of bytes from low on, with or without a unit in any letter case: k is 1,000 and kb 1,024.
// CONFIG GET shows plain bytes. No digits are 0.
func memoryValue(low int64) kind {
	return func(value string) (string, error) {
		n, ok := ParseMemory(value)
		if !ok {
			return "", errMemory
		}
		if n > math.MaxInt64 {
			return "", outOfRange(low, math.MaxInt64)
		}
		return valueInRange(int64(n), low, math.MaxInt64)
	}
}

// ParseMemory reads a number of bytes, cut to 64 bits as in Redis. A number of too many digits is the highest one. A
// unit alone counts as 0.
func ParseMemory(value string) (bytes uint64, ok bool) {
	value = strings.ToLower(words.UntilNUL(value))
	digits := strings.TrimRight(value, "bgkm")
	unit := memoryUnits[value[len(digits):]]
	n, err := strconv.ParseUint(cmp.Or(digits, "0"), 10, 64)
	if unit == 0 || err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false
	}
	return n * unit, true
}

// memoryOrPercentValue takes a number of bytes as memoryValue does, or a percentage of maxmemory.
func memoryOrPercentValue(value string) (string, error) {
	value = words.UntilNUL(value)
	digits, isPercent := strings.CutSuffix(value, "%")
	if !isPercent {
		if bytes, err := memoryValue(0)(value); err == nil {
			return bytes, nil
		}
		return "", errPercent
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	switch {
	case err != nil:
		return "", errPercent
	case n > 100:
		return "", errPercentRange
	}
	return value, nil
}

// yesNoValue takes yes or no in any letter case.
func yesNoValue(value string) (string, error) {
	if value = strings.ToLower(words.UntilNUL(value)); value != "yes" && value != "no" {
		return "", errYesNo
	}
	return value, nil
}

// oneOfValue takes one of the names in any letter case. The error lists them, as in Redis.
func oneOfValue(names ...string) kind {
	return func(value string) (string, error) {
		if value = strings.ToLower(words.UntilNUL(value)); !slices.Contains(names, value) {
			return "", fmt.Errorf("argument(s) must be one of the following: %s", strings.Join(names, ", "))
		}
		return value, nil
	}
}

// within takes what kind takes, and sets a number outside of low and high to the nearer of them.
func within(low, high int64, kind kind) kind {
	return func(value string) (string, error) {
		canonical, err := kind(value)
		if err != nil {
			return "", err
		}
		return strconv.FormatInt(min(max(number(canonical), low), high), 10), nil
	}
}

// except takes what check takes but for one value, for which the error is otherwise.
func except(rejected string, check kind, otherwise error) kind {
	return func(value string) (string, error) {
		canonical, err := check(value)
		if err == nil && canonical == rejected {
			err = otherwise
		}
		return canonical, err
	}
}
