package command_test

import (
	"bytes"
	"testing"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/require"
)

func toUpper(b byte) byte { return bytes.ToUpper([]byte{b})[0] }

func TestEqualFold_IgnoresTheCaseOfLettersOnly(t *testing.T) {
	for a := range 128 {
		for b := range 128 {
			equal := toUpper(byte(a)) == toUpper(byte(b))
			require.Equal(t, equal, command.EqualFold([]byte{'x', byte(a)}, "X"+string(rune(b))), a, b)
		}
	}
	require.Equal(t, false, command.EqualFold([]byte("get"), "gets"))
	require.Equal(t, false, command.EqualFold([]byte{0xC1}, "\xe1"))
}
