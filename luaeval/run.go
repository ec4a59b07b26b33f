package luaeval

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/resp"
)

// Caller is what a running script needs of the server.
type Caller interface {
	// Call runs a command and returns its reply; the words must not be kept. Where the command can't run in a script, the
	// reply is the error that says so.
	Call(args [][]byte) resp.Value
	// Abandoned reports that the script's effects will be undone and that it will run again: it must end at once.
	Abandoned() bool
	// Kill forbids the script to write and reports true, unless it has written already. It is called by other goroutines.
	Kill() bool
}

// Run executes a script and returns its reply, converted as for a client that speaks RESP2 unless the script has called
// redis.setresp(3). The reply does not alias any memory.
func (e *Engine) Run(s *Script, keys, args [][]byte, c Caller) resp.Value {
	st := e.states.Get().(*state)
	defer e.states.Put(st)
	return st.run(s, keys, args, c)
}

func (st *state) run(s *Script, keys, args [][]byte, c Caller) resp.Value {
	st.enter(c, keys, args)
	defer st.leave()
	L := st.L
	L.Push(L.NewFunctionFromProto(s.proto))
	if err := st.machine.PCall(L, 0, 1); err != nil {
		if c.Abandoned() {
			return resp.None
		}
		return st.failure(s, err)
	}
	v := L.Get(-1)
	L.Pop(1)
	return st.toReply(v)
}

// enter makes the state ready for a script.
func (st *state) enter(c Caller, keys, args [][]byte) {
	st.mu.Lock()
	st.caller = c
	st.mu.Unlock()
	st.runs.Add(1)
	st.engine.running.enter(st)
	if st.engine.running.ending.Load() {
		st.machine.Stop(errStopped)
	}
	st.proto = resp.RESP2
	st.keys = st.fill(st.keys, "KEYS", keys)
	st.argv = st.fill(st.argv, "ARGV", args)
}

func (st *state) leave() {
	st.engine.running.leave(st)
	st.mu.Lock()
	st.caller = nil
	st.mu.Unlock()
	if st.machine.Stopped() != nil {
		st.machine.Rearm()
	}
	st.L.SetTop(0)
}

// fill puts words into the table of that global. The table is used again unless the last script left something in it that
// filling does not overwrite; values that stay the same are not boxed again.
func (st *state) fill(t *lua.LTable, global string, words [][]byte) *lua.LTable {
	old := t.Len()
	if extra, _ := t.Next(lua.LNumber(old)); extra != lua.LNil || t.Metatable != lua.LNil {
		t, old = st.L.NewTable(), 0
		st.L.G.Global.RawSetString(global, t)
	}
	for i, w := range words {
		if i < old {
			if s, ok := t.RawGetInt(i + 1).(lua.LString); ok && string(s) == string(w) {
				continue
			}
		}
		t.RawSetInt(i+1, lua.LString(w))
	}
	for i := old; i > len(words); i-- {
		t.RawSetInt(i, lua.LNil)
	}
	return t
}
