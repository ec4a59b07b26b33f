package luaeval

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// errReplyArgument is what redis.status_reply and redis.error_reply return, not raise, for anything but one string.
const errReplyArgument = "ERR wrong number or type of arguments"

// statusReply is redis.status_reply(text), a table with the field ok.
func (st *state) statusReply(L *lua.LState) int {
	text, ok := L.Get(1).(lua.LString)
	if !ok || L.GetTop() != 1 {
		return st.fail(L, false, errReplyArgument)
	}
	L.Push(st.field("ok", text))
	return 1
}

// errorReply is redis.error_reply(text). A text of one word gets the code ERR; a leading dash is dropped.
func (st *state) errorReply(L *lua.LState) int {
	text, ok := L.Get(1).(lua.LString)
	if !ok || L.GetTop() != 1 {
		return st.fail(L, false, errReplyArgument)
	}
	message := strings.TrimPrefix(words.UntilNUL(string(text)), "-")
	if !strings.Contains(message, " ") {
		message = "ERR " + message
	}
	return st.failWith(L, false, st.field("err", lua.LString(message)))
}

// sha1hex is redis.sha1hex(text). Any value that is not a string or number counts as the empty string.
func (st *state) sha1hex(L *lua.LState) int {
	if L.GetTop() != 1 {
		return st.fail(L, true, "ERR wrong number of arguments")
	}
	text, _ := lualib.ToString(L.Get(1))
	L.Push(lua.LString(SHA1([]byte(text))))
	return 1
}

// setresp is redis.setresp(version), 2 or 3. It holds until the script ends, and decides how replies of commands come,
// and how booleans are returned. The protocol of the client is another matter.
func (st *state) setresp(L *lua.LState) int {
	if L.GetTop() != 1 {
		return st.fail(L, true, "ERR redis.setresp() requires one argument.")
	}
	version, _ := integerOf(L.Get(1))
	if version != resp.RESP2 && version != resp.RESP3 {
		return st.fail(L, true, "ERR RESP version must be 2 or 3.")
	}
	st.proto = int(version)
	return 0
}

// integerOf returns the integer part of a number or a numeric string, 0 for other values.
func integerOf(v lua.LValue) (n int64, ok bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return num.Int64(float64(v)), true
	case lua.LString:
		if f, ok := lualib.ParseNumber(string(v)); ok {
			return num.Int64(f), true
		}
	}
	return 0, false
}
