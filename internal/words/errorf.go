package words

import "fmt"

// Errorf is fmt.Errorf for errors that quote words of the client. Redis takes these for C strings, so each ends at its
// first NUL.
func Errorf(format string, args ...any) error {
	for i, arg := range args {
		switch word := arg.(type) {
		case []byte:
			args[i] = UntilNUL(word)
		case string:
			args[i] = UntilNUL(word)
		}
	}
	return fmt.Errorf(format, args...)
}
