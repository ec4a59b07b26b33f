package admin

import (
	"errors"

	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/luaeval"
)

// The payload of FUNCTION DUMP is a piece of an RDB file: for each library a type and its source as a string, then the
// footer. The sources are not compressed.
const rdbFunction = 0xf5

var (
	errNotFunction    = errors.New("ERR given type is not a function")
	errLibraryPayload = errors.New("ERR Failed loading library payload")
)

func encodeLibraries(libraries []*luaeval.Library) []byte {
	var b []byte
	for _, lib := range libraries {
		b = rdb.AppendPlain(append(b, rdbFunction), []byte(lib.Source))
	}
	return rdb.Seal(b)
}

// decodeLibraries returns the sources of the libraries.
func decodeLibraries(payload []byte) (sources []string, err error) {
	piece, err := rdb.Open(payload, true)
	if err != nil {
		return nil, err
	}
	for r := rdb.NewReader(piece); r.More(); {
		if r.Byte() != rdbFunction {
			return nil, errNotFunction
		}
		source := r.String()
		if r.Failed() {
			return nil, errLibraryPayload
		}
		sources = append(sources, string(source))
	}
	return sources, nil
}
