package command

import (
	"github.com/minilockd/minilockd/internal/resp"
)

// Fields is a map of names and what belongs to them, given in turn: strings, integers or values.
func Fields(namesAndValues ...any) resp.Value {
	elems := make([]resp.Value, len(namesAndValues))
	for i, v := range namesAndValues {
		switch v := v.(type) {
		case string:
			elems[i] = resp.BulkString(v)
		case int:
			elems[i] = resp.Int(int64(v))
		case int64:
			elems[i] = resp.Int(v)
		case resp.Value:
			elems[i] = v
		}
	}
	return resp.Map(elems...)
}
