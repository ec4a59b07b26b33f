package luaeval

import (
	"sync"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval/luafront"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// state is a Lua state with all libraries, used by one script after the other and by one goroutine at a time.
type state struct {
	engine     *Engine
	L          *lua.LState
	machine    *luafront.Machine
	keys, argv *lua.LTable
	functions  *space // nil until a function runs
	newJSON    func(*lualib.JSONSettings) *lua.LTable

	runs    atomic.Uint64 // scripts run so far
	place   int           // among engine.running
	weight  atomic.Int64  // of the script that runs, in bytes, when it was last asked: see askWeight
	weighed atomic.Uint64 // the run that weight is of
	rests   atomic.Int64  // Unix time in ns before which it is not asked again
	broken  bool          // Go code has failed: the state can't be used again

	mu       sync.Mutex // guards caller against stop
	caller   Caller     // nil between scripts
	function string     // its name, if it is one

	chunks map[*lua.FunctionProto]*lua.LFunction // see chunk

	// Of the script that runs:
	proto  int // of RESP, as redis.setresp has set it
	words  [][]byte
	digits []byte // text of the numbers among words
	spent  int64  // bytes allocated by the conversion at hand
	long   int64  // bytes of long strings made since it was last weighed
}

// Sizes of a state. The stacks begin small and grow: most scripts need little, and unpack must be able to return 7,999
// values.
const (
	registrySize     = 1 << 10
	registryMaxSize  = 1 << 20
	registryGrowStep = 1 << 14 // small steps would take time by the square of the final size
	maxCallDepth     = 20000   // LUAI_MAXCALLS

	threadRegistrySize = 1 << 6
)

func newState(e *Engine) *state {
	L := lua.NewState(lua.Options{RegistrySize: registrySize, RegistryMaxSize: registryMaxSize,
		RegistryGrowStep: registryGrowStep,
		CallStackSize:    maxCallDepth, MinimizeStackMemory: true, SkipOpenLibs: true})
	// What gopher-lua makes coroutines with.
	L.Options.RegistrySize, L.Options.RegistryGrowStep = threadRegistrySize, registrySize
	st := &state{engine: e, L: L, proto: resp.RESP2, keys: luafront.NewTable(0, 0), argv: luafront.NewTable(0, 0),
		chunks: make(map[*lua.FunctionProto]*lua.LFunction)}
	st.openBase()
	st.newJSON = lualib.Open(L, &lualib.Options{JSON: e.json, Random: e.random, ReadOnly: st.readOnly,
		Interrupt: st.interrupt,
		MaxString: e.limits.maxString(), Made: st.noteLong})
	st.machine = luafront.Install(L, luafront.Config{FormatNumber: lualib.FormatNumber, ParseNumber: lualib.ParseNumber,
		Uncatchable: st.uncatchable, Caught: luafront.RedisCaught, MaxString: e.limits.maxString(),
		Made: st.noteLong})
	luafront.InstallErrors(L)
	luafront.InstallTables(L)
	luafront.InstallCoroutines(L)
	st.openRedis()
	st.seal()
	return st
}

func (st *state) readOnly(t *lua.LTable) bool { return st.machine.ReadOnly(t) }

func (st *state) interrupt() error { return st.machine.Interrupted() }

// uncatchable lets errors through pcall once the script's effects are to be undone.
func (st *state) uncatchable(error) bool { return st.caller != nil && st.caller.Abandoned() }
