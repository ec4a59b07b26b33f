package command

import (
	"bytes"
	"fmt"

	"github.com/minilockd/minilockd/internal/words"
)

// errorf is fmt.Errorf for errors that show words of the client: Redis takes them for C strings, so each ends at its first NUL.
func errorf(format string, args ...any) error {
	for i, arg := range args {
		switch word := arg.(type) {
		case []byte:
			args[i] = cString(word)
		case string:
			args[i] = words.UntilNUL(word)
		}
	}
	return fmt.Errorf(format, args...)
}

// cString is what C sees of a word.
func cString(b []byte) []byte {
	before, _, _ := bytes.Cut(b, []byte{0})
	return before
}
