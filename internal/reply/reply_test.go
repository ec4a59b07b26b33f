package reply

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestRead(t *testing.T) {
	for wire, want := range map[string]string{
		"+OK\r\n":                       "OK",
		":-7\r\n":                       "-7",
		",1.5\r\n":                      "1.5",
		"#t\r\n":                        "true",
		"_\r\n":                         "(nil)",
		"$-1\r\n":                       "(nil)",
		"*-1\r\n":                       "(nil)",
		"$3\r\na\r\n\r\n":               `"a\r\n"`,
		"=7\r\ntxt:abc\r\n":             `"abc"`,
		"(123\r\n":                      `"123"`,
		"-ERR no\r\n":                   "(error) ERR no",
		"!6\r\nERR no\r\n":              "(error) ERR no",
		"*3\r\n$1\r\na\r\n:1\r\n*0\r\n": `["a" 1 []]`,
		"~1\r\n+a\r\n":                  "[a]",
		">2\r\n+message\r\n$0\r\n\r\n":  `[message ""]`,
		"%2\r\n$1\r\na\r\n:1\r\n$1\r\nb\r\n_\r\n": `{"a": 1 "b": (nil)}`,
	} {
		r, err := Read(bufio.NewReader(strings.NewReader(wire)))
		require.NoError(t, err, "%q", wire)
		require.Equal(t, want, r.String(), "%q", wire)
	}
}

func TestRead_Errors(t *testing.T) {
	for _, wire := range []string{"", "+OK", "$3\r\nab", "*2\r\n:1\r\n", "%1\r\n:1\r\n", "$x\r\n", "*x\r\n", "?\r\n",
		"\r\n"} {
		_, err := Read(bufio.NewReader(strings.NewReader(wire)))
		require.Error(t, err, "%q", wire)
	}
	_, err := Read(bufio.NewReader(strings.NewReader("$3\r\nab")))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func TestAppend(t *testing.T) {
	require.Equal(t, "*2\r\n$3\r\nGET\r\n$0\r\n\r\n", string(Append(nil, [][]byte{[]byte("GET"), {}})))
}
