package luaeval

import (
	"runtime/debug"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// Caller is the server, as a running script uses it.
type Caller interface {
	// Call runs a command and returns its reply; it must not keep the arguments. If the command can't run in a script, the
	// reply is an error.
	Call(args [][]byte) resp.Value
	// MayCall reports whether the user that runs the script may call a command (ACL), and whether the command exists.
	MayCall(args [][]byte) (allowed, known bool)
	// ErrorCounted is called if the error that ends the script is that of a Call.
	ErrorCounted()
	// SetReplicated says whether replicas get what the script does from now on (redis.set_repl).
	SetReplicated(on bool)
	// Restarting reports whether the script is to be restarted: its effects are then rolled back, so it must end at once.
	Restarting() bool
	// CommandLine returns a copy of the command that runs the script. Other goroutines call it while the script runs.
	CommandLine() []string
	// Kill prevents the script from writing and reports true, unless it has written already. Other goroutines call it.
	Kill() bool
}

// Run executes a script or a function and returns its reply, converted as for a client that uses RESP2 unless the
// script has called redis.setresp(3). The reply does not alias any memory. It is resp.None if the script is to be
// restarted.
func (e *Engine) Run(p Program, keys, args [][]byte, c Caller) resp.Value {
	return p.run(e, keys, args, c)
}

// run implements Program: any state of the pool will do.
func (s *Script) run(e *Engine, keys, args [][]byte, c Caller) resp.Value {
	st := e.states.Get().(*state)
	defer e.release(st)
	return st.runScript(s, keys, args, c)
}

// runScript sets KEYS and ARGV and calls the script.
func (st *state) runScript(s *Script, keys, args [][]byte, c Caller) resp.Value {
	st.enter(c, "")
	defer st.leave()
	st.keys = st.fillGlobal(st.keys, "KEYS", keys)
	st.argv = st.fillGlobal(st.argv, "ARGV", args)
	s.lastUse.note(st.engine.evaluated.loads.Load())
	st.L.Push(st.chunk(st.engine.compiled.protoOf(&s.compiled)))
	return st.callPushed(s.SHA, 0)
}

// maxChunks is the number of scripts that a state keeps as functions. When there are more, all are dropped, and made
// again as they run.
const maxChunks = 32

// chunk returns a script as a function of this state. It captures no variables, so all runs can share it.
func (st *state) chunk(proto *lua.FunctionProto) *lua.LFunction {
	fn := st.chunks[proto]
	if fn == nil {
		if len(st.chunks) >= maxChunks {
			clear(st.chunks)
		}
		fn = st.L.NewFunctionFromProto(proto)
		st.chunks[proto] = fn
	}
	return fn
}

// runFunction calls a function with its keys and arguments. It gets new tables if the library could have kept those of
// an earlier call.
func (st *state) runFunction(fn *Function, keys, args [][]byte, c Caller) resp.Value {
	st.enter(c, fn.Name)
	defer st.leave()
	sp := st.space()
	closure, err := sp.closure(fn)
	if err != nil {
		return st.errorReplyOf(fn.Name, err)
	}
	if st == fn.library.own {
		sp.keys, sp.argv = st.machine.NewTable(0, 0), st.machine.NewTable(0, 0)
	}
	sp.keys, sp.argv = st.fill(sp.keys, keys), st.fill(sp.argv, args)
	st.L.Push(closure)
	st.L.Push(sp.keys)
	st.L.Push(sp.argv)
	return st.callPushed(fn.Name, 2)
}

// callPushed calls the pushed function with its nargs arguments and converts its result to a reply. name is the SHA1 of
// the script, or the name of a function, for error replies.
func (st *state) callPushed(name string, nargs int) (reply resp.Value) {
	defer func() {
		if cause := recover(); cause != nil {
			reply = st.internalError(name, &luafront.Fault{Cause: cause, Stack: debug.Stack()})
		}
	}()
	L := st.L
	if err := st.machine.PCall(L, nargs, 1); err != nil {
		return st.errorReplyOf(name, err)
	}
	v := L.Get(-1)
	L.Pop(1)
	st.reportCounted(v)
	reply, ok := st.toReply(v)
	if !ok {
		return resp.Error("ERR " + errMemory.Error() + " script: " + name)
	}
	return reply
}

// errorReplyOf returns the reply for a script that ended with an error: none if it will be restarted.
func (st *state) errorReplyOf(name string, err error) resp.Value {
	if fault, ok := err.(*luafront.Fault); ok {
		return st.internalError(name, fault)
	}
	if st.caller.Restarting() {
		return resp.None
	}
	return st.failure(name, err)
}

// enter makes the state ready for a script: from here on SCRIPT KILL, Watch and Stop find it. function is the name of a
// function, empty for a script.
func (st *state) enter(c Caller, function string) {
	st.mu.Lock()
	st.caller, st.function = c, function
	st.mu.Unlock()
	st.runs.Add(1)
	if st.nextRequest.Load() != 0 { // set by requestSize during an earlier run
		st.size.Store(0)
		st.nextRequest.Store(0)
	}
	st.engine.running.enter(st)
	if st.engine.running.ending.Load() {
		st.machine.Stop(errStopped)
	}
	st.proto = resp.RESP2
}

// leave ends the run. No goroutine finds the script after caller is nil, so Reset can't lose a stop that is meant for
// the next one. References to strings of the script are cleared, since the state may rest in the pool for long.
func (st *state) leave() {
	st.engine.running.leave(st)
	st.mu.Lock()
	st.caller = nil
	st.mu.Unlock()
	st.machine.Reset()
	clear(st.words[:cap(st.words)]) // they share memory with strings of the script
	st.L.SetTop(0)
}

// fillGlobal is fill for the table of a global, KEYS or ARGV, which is replaced if fill returns a new table.
func (st *state) fillGlobal(t *lua.LTable, global string, words [][]byte) *lua.LTable {
	filled := st.fill(t, words)
	if filled != t {
		st.machine.SetField(st.L.G.Global, global, filled)
	}
	return filled
}

// fill sets the elements of a table. It reuses the table unless the last script has left other fields in it; elements
// that stay the same are not allocated again.
func (st *state) fill(t *lua.LTable, words [][]byte) *lua.LTable {
	places, ok := luafront.SetList(t, len(words))
	if !ok {
		t = st.machine.NewTable(0, 0)
		places, _ = luafront.SetList(t, len(words))
	}
	for i, w := range words {
		if s, ok := places[i].(lua.LString); !ok || string(s) != string(w) {
			places[i] = lua.LString(w)
		}
	}
	return t
}
