package lualib

import (
	"errors"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// Short texts that expand to large values are rejected if the result exceeds MaxString.
func TestLimits_Decoders(t *testing.T) {
	L := newTestState(t, &Options{MaxString: 1 << 20})
	for _, script := range []string{
		`return #cjson.decode('[' .. ('{},'):rep(20000) .. '{}]')`,
		`return #cjson.decode('[' .. ('1,'):rep(100000) .. '1]')`,
		`return #cmsgpack.unpack('\221\0\0\255\255' .. ('\144'):rep(65535))`,
		`return #cmsgpack.unpack('\221\0\0\255\255' .. ('\1'):rep(65535))`,
	} {
		require.Equal(t, respError("not enough memory"), runScript(t, L, script), script)
	}
	require.Equal(t, 1001, runScript(t, L, `return #cjson.decode('[' .. ('{},'):rep(1000) .. '{}]')`))
}

// A value that is contained many times over is written many times over, up to the limit.
func TestLimits_EncodersOfSharedValues(t *testing.T) {
	L := newTestState(t, &Options{MaxString: 1 << 20})
	for _, script := range []string{
		`local s, t = ('x'):rep(100000), {} for i = 1, 100 do t[i] = s end return cjson.encode(t)`,
		`local s, t = ('x'):rep(100000), {} for i = 1, 100 do t[i] = s end return cmsgpack.pack(t)`,
		`local s, t = ('x'):rep(100000), {} for i = 1, 100 do t[i] = s end return table.concat(t)`,
		`return cjson.encode(('\1'):rep(200000))`,
	} {
		require.Equal(t, respError("user_script:1: resulting string too large"), runScript(t, L, script), script)
	}
}

// A step of these takes time by the size of the pattern or the capture, so it counts for many.
func TestLimits_InterruptOfExpensiveSteps(t *testing.T) {
	stop := errors.New("stopped")
	for _, script := range []string{
		`return (('x'):rep(2000)):find('[' .. ('y'):rep(100000) .. ']')`,
		`return (('x'):rep(200000)):find('(x*)%1y')`,
		`return (('x'):rep(2000)):find('%f[' .. ('y'):rep(100000) .. ']')`,
		`return (('x'):rep(100000):gsub('', ''))`,
		`local t = {} for i = 1, 20000 do t[i] = i end return cjson.encode(t)`,
		`local t = {} for i = 1, 20000 do t[i] = i end return cmsgpack.pack(t)`,
		`return struct.pack(('x'):rep(20000))`,
	} {
		calls := 0
		L := newTestState(t, &Options{Interrupt: func() error {
			calls++
			return stop
		}})
		require.Equal(t, respError("stopped"), runScript(t, L, script), script)
		require.Equal(t, 1, calls)
	}
}

// Trailing holes are passed over once, not once for each element.
func TestLimits_TrailingHoles(t *testing.T) {
	L := newTestState(t, nil)
	script := `local t = {} for i = 1, 400000 do t[i] = i end for i = 200001, 400000 do t[i] = nil end t.x = 1 `
	require.Equal(t, 200001, runScript(t, L, script+`local n = 0 table.foreach(t, function() n = n + 1 end) return n`))
	require.Equal(t, 1, runScript(t, L, script+`local u = {} for i = 1, 200000 do u[i] = i end u.x = 1
		return cmsgpack.pack(t) == cmsgpack.pack(u)`))
}

// OnAlloc is called before long strings are made, or right after.
func TestLimits_OnAlloc(t *testing.T) {
	var made []int
	L := newTestState(t, &Options{OnAlloc: func(bytes int) { made = append(made, bytes) }})
	runScript(t, L, `local s = ('x'):rep(100000) return #table.concat({s, s}) + #s:upper() + #('y'):rep(10)`)
	require.Equal(t, []int{100000, 200000, 100000}, made)
}
