package luaeval

import (
	"errors"
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/luaeval/luafront"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// compileError is what Redis answers to a script that does not compile.
func compileError(err error) error {
	return errors.New("ERR Error compiling script (new function): " + err.Error())
}

// failure is the reply to a script that has ended with an error: its text, then which script and where.
func (st *state) failure(s *Script, err error) resp.Value {
	raised := luafront.Message(err)
	st.tellCounted(raised)
	text := words.UntilNUL(errorText(raised))
	source, line, ok := luafront.Position(err)
	if !ok {
		return resp.Error(text)
	}
	return resp.Error(fmt.Sprintf("%s script: %s, on @%s:%d.", text, s.SHA, source, line))
}

// errorText is the error reply for a raised value: the text of an error table as it is, anything else behind ERR.
func errorText(value lua.LValue) string {
	switch v := value.(type) {
	case *lua.LTable:
		if s, ok := luafront.RawGetString(v, "err").(lua.LString); ok {
			return string(s)
		}
		return "ERR unknown error"
	case lua.LNumber:
		return "ERR " + lualib.FormatNumber(float64(v))
	}
	return "ERR " + value.String()
}

// tellCounted tells the caller where the value that a script ends with is the error of a command: see commandError.
func (st *state) tellCounted(v lua.LValue) {
	if t, ok := v.(*lua.LTable); ok && luafront.RawGetString(t, countedField) == lua.LTrue {
		st.caller.ErrorCounted()
	}
}
