package luaeval

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/resp"
)

// compileError is what Redis answers to a script that does not compile.
func compileError(err error) error {
	return errors.New("ERR Error compiling script (new function): " + err.Error())
}

// failure is the reply to a script that has ended with an error: its text, then which script and which line.
func (st *state) failure(s *Script, err error) resp.Value {
	value := raised(err)
	text, line := st.errorOf(value)
	if line == 0 {
		line = 1
	}
	return resp.Error(fmt.Sprintf("%s script: %s, on %s:%d.", text, s.SHA, chunkName, line))
}

// errorOf is the text of a raised value and the line where it was raised, 0 if that is not known.
func (st *state) errorOf(value lua.LValue) (text string, line int) {
	if t, ok := value.(*lua.LTable); ok {
		if s, ok := t.RawGetString("err").(lua.LString); ok {
			return string(s), st.line
		}
		return "ERR unknown error", st.line
	}
	text = lua.LVAsString(value)
	if line = positionLine(text); line == 0 {
		line = st.line
	}
	return "ERR " + text, line
}

// positionLine is N of a text that begins with "user_script:N: ", else 0.
func positionLine(text string) int {
	rest, ok := strings.CutPrefix(text, chunkName[1:]+":")
	if !ok {
		return 0
	}
	digits, _, ok := strings.Cut(rest, ":")
	if !ok {
		return 0
	}
	n, _ := strconv.Atoi(digits)
	return n
}

// callerLine is the line of the script that has called the running Go function.
func callerLine(L *lua.LState) int { return positionLine(L.Where(1)) }
