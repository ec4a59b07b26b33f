package admin

// The payload of FUNCTION DUMP is a part of an RDB file, like that of DUMP: for each library a type and its source as
// a string, then a version and a checksum (package rdb). The sources are not compressed; those of Redis may be.

import (
	"errors"

	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/luaeval"
)

// rdbFunction is the type byte before the source of a library (RDB_OPCODE_FUNCTION2).
const rdbFunction = 0xf5

var (
	errNotFunction    = errors.New("ERR given type is not a function")
	errLibraryPayload = errors.New("ERR Failed loading library payload")
)

// encodeLibraries returns the payload of the libraries, in their order.
func encodeLibraries(libraries []*luaeval.Library, v rdb.Version) []byte {
	var b []byte
	for _, lib := range libraries {
		b = rdb.AppendPlain(append(b, rdbFunction), []byte(lib.Source))
	}
	return rdb.Seal(b, v)
}

// decodeLibraries returns the sources of the libraries. It checks the footer as u says, but not the sources, which only
// Restore compiles.
func decodeLibraries(payload []byte, v rdb.Version, u rdb.Unchecked) (sources []string, err error) {
	piece, _, err := rdb.Open(payload, v, u)
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
