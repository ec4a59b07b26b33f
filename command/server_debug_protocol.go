package command

import (
	"errors"
	"strings"

	"github.com/minilockd/minilockd/internal/resp"
)

var errDebugProtocol = errors.New("ERR Wrong protocol type name. Please use one of the following: " +
	"string|integer|double|null|array|set|map|attrib|push|verbatim|true|false")

// debugProtocol answers a value of each type, so that clients can test how they read it.
func debugProtocol(c *Call) resp.Value {
	three := []resp.Value{resp.Int(0), resp.Int(1), resp.Int(2)}
	switch strings.ToLower(string(c.Arg(2))) {
	case "string":
		return resp.BulkString("Hello World")
	case "integer":
		return resp.Int(12345)
	case "double":
		return resp.Double(3.141)
	case "null":
		return resp.Null
	case "array":
		return resp.Array(three...)
	case "set":
		return resp.Set(three...)
	case "map":
		return resp.Map(resp.Int(0), resp.Bool(false), resp.Int(1), resp.Bool(true), resp.Int(2), resp.Bool(false))
	case "push":
		return resp.Push(resp.BulkString("server-cpu-usage"), resp.Int(42))
	case "true", "false":
		return resp.Bool(c.Is(2, "true"))
	case "verbatim":
		return resp.Verbatim("txt", "This is a verbatim\nstring")
	case "bignum":
		return resp.BigNumber("1234567999999999999999999999999999999")
	case "attrib":
		return resp.BulkString("Some real reply following the attribute")
	}
	return c.Fail(errDebugProtocol)
}
