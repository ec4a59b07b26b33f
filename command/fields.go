package command

import (
	"github.com/minilockd/minilockd/internal/resp"
)

// Fields returns a map reply from alternating names and values. Values may be string, int, int64 or resp.Value.
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
