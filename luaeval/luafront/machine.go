package luafront
import lua "github.com/yuin/gopher-lua"
func opcode(inst uint32) int { return int(inst >> 26) }
var _ = lua.OP_NOP
