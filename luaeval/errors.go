package luaeval

import (
	"errors"
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/luaeval/luafront"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// compileError returns the error of EVAL and SCRIPT LOAD for a source that does not compile.
func compileError(err error) error {
	return errors.New("ERR Error compiling script (new function): " + err.Error())
}

// failure returns the reply for a script that ended with an error: its text, the script and the position, if that is
// known. name is the SHA1 of the script, or the name of a function; Valkey 9.1 leaves it out. The text ends at a NUL,
// as a C string does.
func (st *state) failure(name string, err error) resp.Value {
	raised := luafront.Message(err)
	st.reportCounted(raised)
	text := words.UntilNUL(errorText(raised))
	source, line, ok := luafront.Position(err)
	if !ok {
		return resp.Error(text)
	}
	if st.engine.server.Does(emulate.NamelessScriptErrors) {
		return resp.Error(fmt.Sprintf("%s script: on @%s:%d.", text, source, line))
	}
	return resp.Error(fmt.Sprintf("%s script: %s, on @%s:%d.", text, name, source, line))
}

// errorText returns the error reply for a value that was raised: the text of an error table as it is, anything else
// after ERR. A table without a text in its field err is an unknown error.
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

// reportCounted calls ErrorCounted if a value, which the script has returned or raised, is the error table of a
// command: see commandError.
func (st *state) reportCounted(v lua.LValue) {
	if t, ok := v.(*lua.LTable); ok && luafront.RawGetString(t, countedField) == lua.LTrue {
		st.caller.ErrorCounted()
	}
}
