package server

import (
	"io"

	"github.com/minilockd/minilockd/command/persistence"
)

// SaveRDB writes the keys of all databases and the functions as an RDB file, in the version that the emulated server
// writes: that server can be started with it, and Seed reads it. The only errors are those of w. Nothing else happens
// in the server while the file is made, and SAVE and INFO do not count it.
func (s *Server) SaveRDB(w io.Writer) error {
	_, err := w.Write(persistence.File(s.env))
	return err
}
