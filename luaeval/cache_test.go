package luaeval

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// lockScript has the size of those of Redisson; each number makes another script.
const lockScript = `-- %d
if (redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
local others = {}
for i, name in ipairs(redis.call('hkeys', KEYS[1])) do
  if name ~= ARGV[2] and string.find(name, ':', 1, true) then table.insert(others, name .. '/' .. i) end
end
return redis.call('pttl', KEYS[1])`

func liveHeap() int64 {
	runtime.GC()
	runtime.GC()
	return readHeap().objects
}

func TestEngine_Cache_ManyScripts(t *testing.T) {
	e := newEngine()
	before := liveHeap()
	for i := range 10_000 {
		_, err := e.Load(fmt.Appendf(nil, lockScript, i))
		require.NoError(t, err)
	}
	kept := liveHeap() - before
	require.Less(t, kept, int64(20<<20))
	e.Flush()
	require.Zero(t, e.Len())
	require.Less(t, liveHeap()-before, kept/4, "of %d bytes", kept)
	runtime.KeepAlive(e)
	t.Logf("%d bytes a script", kept/10_000)
}

// A script whose compiled form was evicted is compiled again, and those in use stay compiled.
func TestEngine_Cache_CompilesAgain(t *testing.T) {
	e := newEngine()
	source := func(i int) []byte { return fmt.Appendf(nil, "return %d", i) }
	run := func(i int) {
		script, err := e.Load(source(i))
		require.NoError(t, err)
		require.Equal(t, int64(i), e.Run(script, nil, nil, noopCaller{}).Int())
	}
	const scripts = 2*maxCompiled + 100
	for i := range scripts {
		run(i)
		run(0)
	}
	isCompiled := func(i int) bool { return e.Get([]byte(SHA1(source(i)))).proto.Load() != nil }
	kept := 0
	for i := range scripts {
		if isCompiled(i) {
			kept++
		}
	}
	require.Equal(t, maxCompiled, kept)
	require.True(t, isCompiled(0))
	require.False(t, isCompiled(1))
	for i := range scripts {
		run(i)
	}
	require.Equal(t, scripts, e.Len())
}

// As on redis-server, where SCRIPT FLUSH makes a new Lua state. The random numbers continue.
func TestEngine_Flush_PutsBackSettingsOfJSON(t *testing.T) {
	e := newEngine()
	require.Equal(t, "$5\r\n0.333\r\n",
		eval(t, e, noopCaller{}, `cjson.encode_number_precision(3) return cjson.encode(1/3)`))
	require.Equal(t, "$5\r\n0.333\r\n", eval(t, e, noopCaller{}, `return cjson.encode(1/3)`))
	e.Flush()
	require.Equal(t, "$16\r\n0.33333333333333\r\n", eval(t, e, noopCaller{}, `return cjson.encode(1/3)`))
}
