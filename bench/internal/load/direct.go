package load

import (
	"errors"

	"github.com/minilockd/minilockd/bench/internal/engine"
)

// direct is a client that calls commands. Its transport methods fail.
type direct struct {
	*engine.Session
}

var errNoBytes = errors.New("a direct call moves no bytes")

func (direct) Read([]byte) (int, error)  { return 0, errNoBytes }
func (direct) Write([]byte) (int, error) { return 0, errNoBytes }
