package config

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/words"
)

// errNegative is what Redis 8.2 says of a negative number where no sign is kept.
var errNegative = errors.New("argument must be greater or equal to 0")

// unsignedInteger are the kinds of parameters that Redis keeps as integers without a sign.
var unsignedInteger = []otherKind{{"8.2", func(before kind) kind {
	return func(value string) (string, error) {
		if n, ok := num.ParseInt([]byte(value)); ok && n < 0 {
			return "", errNegative
		}
		return before(value)
	}
}}}

// unsignedMemory are the kinds of parameters that Redis keeps as numbers of bytes without a sign. One that needs the
// bit of the sign counts as negative.
var unsignedMemory = append([]otherKind{{"8.2", func(before kind) kind {
	return func(value string) (string, error) {
		if bytes, ok := ParseMemory(value); ok && bytes > math.MaxInt64 {
			return "", errNegative
		}
		return before(value)
	}
}}}, memoryInRange...)

// memoryInRange are the kinds of parameters that are numbers of bytes. Where others take the highest number in place of
// one that is too high, Valkey 9 has an error.
var memoryInRange = []otherKind{{"valkey-9.0", func(before kind) kind {
	return func(value string) (string, error) {
		digits := strings.TrimRight(strings.ToLower(words.UntilNUL(value)), "bgkm")
		if _, err := strconv.ParseUint(digits, 10, 64); errors.Is(err, strconv.ErrRange) {
			return "", errMemory
		}
		return before(value)
	}
}}}
