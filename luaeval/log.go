package luaeval

import (
	"context"
	"log/slog"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// levels are the levels of redis.log, by number: debug, verbose, notice, warning.
var levels = [...]slog.Level{slog.LevelDebug, slog.LevelDebug, slog.LevelInfo, slog.LevelWarn}

// log is redis.log(level, message, …). Messages are joined by spaces; those that are neither strings nor numbers are
// left out. The level may be a numeric string.
func (st *state) log(L *lua.LState) int {
	if L.GetTop() < 2 {
		return st.fail(L, true, "ERR redis.log() requires two arguments or more.")
	}
	level, ok := integerOf(L.Get(1))
	if !ok {
		return st.fail(L, true, "ERR First argument must be a number (log level).")
	}
	if level < 0 || level >= int64(len(levels)) {
		if st.engine.server.Does(emulate.RightScriptErrors) {
			return st.fail(L, true, "ERR Invalid log level.")
		}
		return st.fail(L, true, "ERR Invalid debug level.")
	}
	words := make([]string, 0, L.GetTop()-1)
	for i := 2; i <= L.GetTop(); i++ {
		if text, ok := lualib.ToString(L.Get(i)); ok {
			words = append(words, text)
		}
	}
	st.engine.log.Log(context.Background(), levels[level], strings.Join(words, " "), "source", "script")
	return 0
}
