package load

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestFrame(t *testing.T) {
	for _, whole := range []string{"+OK\r\n", "-ERR no\r\n", ":1\r\n", ":-2\r\n", "$-1\r\n", "$0\r\n\r\n",
		"$5\r\na\r\nbc\r\n", "$10\r\n0123456789\r\n",
		"*-1\r\n", "*0\r\n", "*2\r\n*1\r\n$1\r\na\r\n:3\r\n"} {
		t.Run(whole, func(t *testing.T) {
			for cut := range len(whole) {
				size, err := frame([]byte(whole[:cut]))
				require.NoError(t, err)
				require.Zero(t, size, "after %d bytes", cut)
			}
			size, err := frame([]byte(whole + ":7\r\n"))
			require.NoError(t, err)
			require.Equal(t, len(whole), size)
		})
	}
}

func TestFrame_WhatIsNotKnown(t *testing.T) {
	for _, reply := range []string{"%1\r\n", "*2\r\n:1\r\n_\r\n"} {
		_, err := frame([]byte(reply))
		require.ErrorContains(t, err, "isn't known here")
	}
}
