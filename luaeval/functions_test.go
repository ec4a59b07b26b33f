package luaeval

import (
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/testenv"
)

func loadLibrary(t testing.TB, e *Engine, name, body string) *Library {
	t.Helper()
	loaded, err := e.Functions.Load("#!lua name="+name+"\n"+body, true)
	require.NoError(t, err)
	return e.Functions.current.Load().library(loaded)
}

func callFunction(t testing.TB, e *Engine, c Caller, name string) string {
	t.Helper()
	fn := e.Functions.Get([]byte(name))
	require.NotNil(t, fn, name)
	return string(resp.Append(nil, e.Run(fn, nil, nil, c), resp.RESP2))
}

// A library keeps state only if a function can reach data of an earlier call.
func TestFunctions_KeptState(t *testing.T) {
	for body, keeps := range map[string]bool{
		`local n = 0 redis.register_function('f', function() n = n + 1 return n end)`:               true,
		`local n = 0 redis.register_function('f', function() return function() n = 1 end end)`:      true,
		`local n = 0 local function g() n = 1 end redis.register_function('f', function() g() end)`: true,
		`local t = {} redis.register_function('f', function() return t end)`:                        true,
		`local a, b = 1, {} redis.register_function('f', function() return a end) redis.register_function('g', function() ` +
			`return b end)`: true,
		`local n = 5 redis.register_function('f', function() return n end)`:                                 false,
		`local n = 0 n = n + 1 redis.register_function('f', function() local m = n m = m + 1 return m end)`: false,
		`local t = {} t.x = 1 redis.register_function('f', function() return 1 end)`:                        false,
		`local api = redis redis.register_function('f', function() return api.LOG_DEBUG end)`:               false,
		`local log = redis.log redis.register_function('f', log)`:                                           false,
		`local g g = function(n) return n end redis.register_function('f', function() return g(1) end)`:     false,
		`local function g(n) if n == 0 then return 0 end return g(n - 1) end redis.register_function('f', function() ` +
			`return g(3) end)`: false,
	} {
		lib := loadLibrary(t, newEngine(), "lib", body)
		require.Equal(t, keeps, lib.own != nil, body)
		require.Equal(t, keeps, lib.Functions[0].NeedsAllShards(), body)
	}
}

// A state without a library loads it; its log messages appear once.
func TestFunctions_ManyStates(t *testing.T) {
	log := new(testenv.Buffer)
	e, c := New(emulate.Named("7.0"), slog.New(slog.NewTextHandler(log, nil))), new(recorder)
	lib := loadLibrary(t, e, "lib",
		`redis.log(redis.LOG_WARNING, 'loaded') local n = 40 local function add(x) return n + x end `+
			`redis.register_function('f', function() return add(2) end)`)
	require.Nil(t, lib.own)
	for range 3 {
		st := newState(e)
		require.Equal(t, ":42\r\n", string(resp.Append(nil, st.runFunction(lib.Functions[0], nil, nil, c), resp.RESP2)))
		require.Len(t, st.space().loaded, 1)
	}
	require.Equal(t, 1, strings.Count(log.String(), "msg=loaded"), log.String())
}

// A state drops libraries that were replaced when it loads another one.
func TestFunctions_RetiredLibraries(t *testing.T) {
	e, c := newEngine(), new(recorder)
	st := newState(e)
	for i := range 5 {
		lib := loadLibrary(t, e, "lib", `redis.register_function('f', function() return `+strconv.Itoa(i)+` end)`)
		require.Equal(t, resp.Int(int64(i)), st.runFunction(lib.Functions[0], nil, nil, c))
	}
	require.Len(t, st.space().loaded, 1)
}

func TestFunctions_CounterOfManyCallers(t *testing.T) {
	e := newEngine()
	loadLibrary(t, e, "lib", `local n = 0 redis.register_function('inc', function() n = n + 1 return n end)`)
	inc := e.Functions.Get([]byte("inc"))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				e.Run(inc, nil, nil, noopCaller{})
			}
		})
	}
	wg.Wait()
	require.Equal(t, ":401\r\n", callFunction(t, e, noopCaller{}, "inc"))
}

// Functions of one library, called and replaced at the same time, are either the old or the new ones.
func TestFunctions_ReplacedWhileCalled(t *testing.T) {
	e := newEngine()
	loadLibrary(t, e, "lib", `redis.register_function('f', function() return 1 end)`)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				fn := e.Functions.Get([]byte("f"))
				require.Equal(t, resp.One, e.Run(fn, nil, nil, noopCaller{}))
			}
		})
	}
	for range 20 {
		loadLibrary(t, e, "lib", `redis.register_function('f', function() return 1 end)`)
	}
	wg.Wait()
}

func TestFunctions_LoadTimeout(t *testing.T) {
	e := newEngine()
	_, err := e.Functions.Load("#!lua name=lib\nwhile true do end", false)
	require.EqualError(t, err, "ERR Error registering functions: ERR FUNCTION LOAD timeout")
	require.Empty(t, e.Functions.Libraries())
	loadLibrary(t, e, "lib", `redis.register_function('f', function() return 1 end)`)
	require.Equal(t, ":1\r\n", callFunction(t, e, noopCaller{}, "f"))
}

// Scripts and functions share states but see other globals.
func TestFunctions_GlobalsOfScriptsAndFunctions(t *testing.T) {
	e, c := newEngine(), new(recorder)
	loadLibrary(t, e, "lib",
		`redis.register_function('f', function() return {type(redis.breakpoint), _G.redis == redis and 1 or 0} end)`)
	for range 3 {
		require.Equal(t, "*2\r\n$3\r\nnil\r\n:1\r\n", callFunction(t, e, c, "f"))
		require.Equal(t, "*3\r\n$8\r\nfunction\r\n:1\r\n$1\r\na\r\n",
			eval(t, e, c, `return {type(redis.breakpoint), _G.redis == redis and 1 or 0, ARGV[1]}`, "a"))
	}
}

func TestFunctions_RestoreIsAllOrNothing(t *testing.T) {
	e := newEngine()
	source := func(lib, fn string) string {
		return "#!lua name=" + lib + "\nredis.register_function('" + fn + "', function() end)"
	}
	loadLibrary(t, e, "one", `redis.register_function('f', function() end)`)
	for _, sources := range [][]string{
		{source("two", "g"), source("three", "F")},
		{source("two", "g"), source("two", "h")},
		{source("two", "g"), source("three", "G")},
		{source("two", "g"), "#!lua name=three\nx"},
	} {
		require.Error(t, e.Functions.Restore(sources, RestoreReplace), sources)
		require.Len(t, e.Functions.Libraries(), 1)
	}
	require.NoError(t, e.Functions.Restore([]string{source("two", "g"), source("one", "F")}, RestoreReplace))
	libraries, functions := e.Functions.Count()
	require.Equal(t, []int{2, 2}, []int{libraries, functions})
	require.NoError(t, e.Functions.Restore([]string{source("two", "f")}, RestoreFlush))
	require.Nil(t, e.Functions.Get([]byte("g")))
}

func BenchmarkRun_Function(b *testing.B) {
	e := newEngine()
	loadLibrary(b, e, "lib", `redis.register_function('f', function(keys, args) if redis.call('exists', keys[1]) == 0 then
		redis.call('hincrby', keys[1], args[2], 1) redis.call('pexpire', keys[1], args[1]) return nil end
		return redis.call('pttl', keys[1]) end)`)
	fn := e.Functions.Get([]byte("f"))
	keys, args := [][]byte{[]byte("lock")}, [][]byte{[]byte("30000"), []byte("285475da-9152-4c83-822a-67ee2f116a79:52")}
	b.ReportAllocs()
	for b.Loop() {
		e.Run(fn, keys, args, noopCaller{})
	}
}
