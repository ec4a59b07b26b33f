package luaeval

import (
	"context"
	"log/slog"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// levels are those of redis.log, in the order of their numbers: debug, verbose, notice, warning.
var levels = [...]slog.Level{slog.LevelDebug, slog.LevelDebug, slog.LevelInfo, slog.LevelWarn}

// log is redis.log(level, message, …).
func (st *state) log(L *lua.LState) int {
	if L.GetTop() < 2 {
		return st.fail(L, true, "ERR redis.log() requires two arguments or more.")
	}
	n, ok := L.Get(1).(lua.LNumber)
	if !ok {
		return st.fail(L, true, "ERR First argument must be a number (log level).")
	}
	level := int(n)
	if level < 0 || level >= len(levels) {
		return st.fail(L, true, "ERR Invalid log level.")
	}
	words := make([]string, 0, L.GetTop()-1)
	for i := 2; i <= L.GetTop(); i++ {
		words = append(words, L.ToString(i))
	}
	st.engine.log.Log(context.Background(), levels[level], strings.Join(words, " "), "source", "script")
	return 0
}
