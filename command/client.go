package command

import "errors"

var errClientName = errors.New("ERR Client names cannot contain spaces, newlines or special characters.")

// validName reports whether a client name consists of printable characters without blanks.
func validName(name []byte) bool {
	for _, c := range name {
		if c < '!' || c > '~' {
			return false
		}
	}
	return true
}

func (s *Session) setName(name string) { s.info.name.Store(&name) }
