package load

import (
	"errors"

	"github.com/minilockd/minilockd/bench/internal/engine"
)

// direct is a client that calls commands. It is a transport only so that a conn can hold it: conn.round recognizes it,
// and its Read and Write fail.
type direct struct {
	*engine.Session
}

var errNoBytes = errors.New("a direct call moves no bytes")

func (direct) Read([]byte) (int, error)  { return 0, errNoBytes }
func (direct) Write([]byte) (int, error) { return 0, errNoBytes }
