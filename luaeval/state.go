package luaeval

import (
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval/luafront"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// state is a Lua state with all libraries, which runs one script at a time. It belongs to the goroutine that runs the
// script; Watch, SCRIPT KILL and Stop use the atomic fields, and those that mu guards. Between scripts it is in the
// pool of the engine, or belongs to a library.
type state struct {
	engine     *Engine
	L          *lua.LState
	machine    *luafront.Machine
	keys, argv *lua.LTable // KEYS and ARGV, which fill reuses
	functions  *space      // nil until a function runs
	newJSON    func(*lualib.JSONSettings) *lua.LTable

	runs        atomic.Uint64 // scripts run so far; the number of the running one
	slot        int           // among engine.running
	size        atomic.Int64  // of the running script, in bytes: see requestSize
	sizedRun    atomic.Uint64 // the run to which size belongs
	nextRequest atomic.Int64  // Unix time in ns before which requestSize does nothing
	broken      bool          // Go code has panicked: the state must not be used again

	mu       lockrank.Mutex[lockrank.ScriptState] // guards caller against stop
	caller   Caller                               // nil between scripts
	function string                               // its name, if a function runs

	chunks map[*lua.FunctionProto]*lua.LFunction // see chunk

	// Of the running script:
	proto          int // of RESP, set by redis.setresp
	words          [][]byte
	digits         []byte // text of the numbers in words
	allocatedBytes int64  // bytes allocated by the current conversion
	long           int64  // bytes of long strings since the last updateSize
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

// newState makes a state and opens its libraries. protect comes last: it makes read-only what the others have set.
func newState(e *Engine) *state {
	L := lua.NewState(lua.Options{RegistrySize: registrySize, RegistryMaxSize: registryMaxSize,
		RegistryGrowStep: registryGrowStep,
		CallStackSize:    maxCallDepth, MinimizeStackMemory: true, SkipOpenLibs: true})
	// gopher-lua copies these options to coroutines.
	L.Options.RegistrySize, L.Options.RegistryGrowStep = threadRegistrySize, registrySize
	st := &state{engine: e, L: L, proto: resp.RESP2, chunks: make(map[*lua.FunctionProto]*lua.LFunction)}
	st.openBase()
	st.newJSON = lualib.Open(L, &lualib.Options{JSON: e.json, Random: e.random, ReadOnly: st.readOnly,
		Interrupt: st.interrupt,
		MaxString: e.limits.maxString(), OnAlloc: st.noteLong})
	st.machine = luafront.Install(L, luafront.Config{FormatNumber: lualib.FormatNumber, ParseNumber: lualib.ParseNumber,
		BypassPCall: st.bypassPCall, Caught: luafront.RedisCaught, MaxString: e.limits.maxString(),
		OnAlloc: st.noteLong, MurmurHash: e.server.Does(emulate.MurmurHash)})
	st.keys, st.argv = st.machine.NewTable(0, 0), st.machine.NewTable(0, 0)
	luafront.InstallErrors(L)
	luafront.InstallTables(L)
	luafront.InstallCoroutines(L)
	st.openRedis()
	st.openOS()
	st.protect()
	return st
}

// readOnly and interrupt are for lualib, which is opened before the machine exists.
func (st *state) readOnly(t *lua.LTable) bool { return st.machine.ReadOnly(t) }

func (st *state) interrupt() error { return st.machine.Interrupted() }

// bypassPCall makes pcall pass on errors once the script is to be restarted. caller is nil while a library is loaded by
// FUNCTION LOAD.
func (st *state) bypassPCall(error) bool { return st.caller != nil && st.caller.Restarting() }
