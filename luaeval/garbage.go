package luaeval

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// collector is collectgarbage for one state. Go's collector frees the memory: scripts only read and set parameters, and
// see sizes of the whole heap, since Go does not know that of one Lua state. The parameters are set when they are first
// used, to the defaults of Lua (LUAI_GCPAUSE, LUAI_GCMUL).
type collector struct {
	set       bool
	pause     lua.LNumber
	stepSpeed lua.LNumber
}

// collectGarbage is collectgarbage(option, argument). Nothing is collected: a script must not stop the whole server.
// The result is the size in KB for "count", the old value for a parameter, false for "step", else 0.
func (c *collector) collectGarbage(L *lua.LState) int {
	if !c.set {
		*c = collector{set: true, pause: 200, stepSpeed: 200}
	}
	option, argument := lualib.OptString(L, 1, "collect"), lua.LNumber(math.Trunc(lualib.OptNumber(L, 2, 0)))
	var result lua.LValue = lua.LNumber(0)
	switch option {
	case "count":
		result = lua.LNumber(heapKB())
	case "step":
		result = lua.LFalse // the cycle has not ended
	case "setpause":
		result, c.pause = c.pause, argument
	case "setstepmul":
		result, c.stepSpeed = c.stepSpeed, argument
	case "collect", "stop", "restart":
	default:
		luafront.ArgError(L, 1, "invalid option '"+option+"'")
	}
	L.Push(result)
	return 1
}

// gcInfo is gcinfo(): whole KB in use.
func gcInfo(L *lua.LState) int {
	L.Push(lua.LNumber(math.Floor(heapKB())))
	return 1
}

// heapKB returns the size of all objects of the process, with the garbage that is not freed yet.
func heapKB() float64 { return float64(readHeap().objects) / 1024 }
