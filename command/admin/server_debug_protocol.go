package admin

import (
	"errors"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
)

var errDebugProtocol = errors.New("ERR Wrong protocol type name. Please use one of the following: " +
	"string|integer|double|null|array|set|map|attrib|push|verbatim|true|false")

var errOnlyRESP3 = errors.New("ERR RESP2 is not supported by this command")

// debugProtocol returns a value of a type of RESP3, so that clients can test how they read it: DEBUG PROTOCOL type. In
// RESP2 the values are converted as in any reply; a push is an error there, and an attribute is left out.
func debugProtocol(c *command.Call) resp.Value {
	const behind = "Some real reply following the "
	three := []resp.Value{resp.Int(0), resp.Int(1), resp.Int(2)}
	switch strings.ToLower(string(c.Arg(2))) {
	case "string":
		return resp.BulkString("Hello World")
	case "integer":
		return resp.Int(12345)
	case "double":
		return c.Double(3.141)
	case "null":
		return resp.Null
	case "array":
		return resp.Array(three...)
	case "set":
		return resp.Set(three...)
	case "map":
		return resp.Map(resp.Int(0), resp.Bool(false), resp.Int(1), resp.Bool(true), resp.Int(2), resp.Bool(false))
	case "push":
		if c.Session.Proto() == resp.RESP2 {
			return c.Fail(errOnlyRESP3)
		}
		push, reply := resp.Push(resp.BulkString("server-cpu-usage"), resp.Int(42)), resp.BulkString(behind+"push reply")
		if c.Does(emulate.PushesAfterReplies) {
			return resp.Series(reply, push)
		}
		return resp.Series(push, reply)
	case "true", "false":
		return resp.Bool(c.Is(2, "true"))
	case "verbatim":
		return resp.Verbatim("txt", "This is a verbatim\nstring")
	case "bignum":
		return resp.BigNumber("1234567999999999999999999999999999999")
	case "attrib":
		reply := resp.BulkString(behind + "attribute")
		if c.Session.Proto() == resp.RESP2 {
			return reply
		}
		of := resp.Append([]byte("|1\r\n"), resp.BulkString("key-popularity"), resp.RESP3)
		of = resp.Append(of, resp.Array(resp.BulkString("key:123"), resp.Int(90)), resp.RESP3)
		return resp.Series(resp.Encoded(of), reply)
	}
	return c.Fail(errDebugProtocol)
}
