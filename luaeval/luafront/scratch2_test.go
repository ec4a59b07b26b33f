package luafront

import (
	"fmt"
	"sort"
	
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"
)

func cpu() int64 { return time.Now().UnixNano() }
func cputime(f func()) float64 {
	a := cpu()
	f()
	return float64(cpu() - a)
}
func TestScratchCost(t *testing.T) {
	for name, script := range map[string]string{
		"loop":  "local s = 0 for i = 1, 100000 do s = s + i % 7 end return s",
		"while": "local i = 0 while i < 100000 do i = i + 1 end return i",
		"call":  "local function f(x) return x end for i = 1, 100000 do f(i) end return 1",
		"table": "local t = {} for i = 1, 100000 do t[i] = i t.x = t[i] end return 1",
	} {
		proto, _ := Compile(script, "x")
		L := lua.NewState(stateOptions)
		M, m := newState(t, Config{})
		patched := jumpTable
		fn, fm := L.NewFunctionFromProto(proto), M.NewFunctionFromProto(proto)
		var rs [3][]float64
		for i := 0; i < 100; i++ {
			for k := 0; k < 3; k++ {
				if k == 0 {
					jumpTable = original
				}
				rs[k] = append(rs[k], cputime(func() {
					for j := 0; j < 1; j++ {
						if k < 2 {
							L.Push(fn)
							L.PCall(0, 1, nil)
							L.Pop(1)
						} else {
							M.Push(fm)
							m.PCall(M, 0, 1)
							M.Pop(1)
						}
					}
				}))
				jumpTable = patched
			}
		}
		for k := range rs {
			sort.Float64s(rs[k])
		}
		fmt.Printf("%s unpatched %.1f plain %.1f ours %.1f (ns/iteration, 1st quartile)\n", name, rs[0][3]/100000, rs[1][3]/100000, rs[2][3]/100000)
	}
}
