package luafront

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Fault is the error of a script in which Go code failed, by a nil pointer say, and not the script: a bug of this
// program or of gopher-lua. The script can't catch it, and its state must not be used again.
type Fault struct {
	Cause any    // what Go code panicked with
	Stack []byte // where it did, for a log
}

// Error returns the text of the cause.
func (f *Fault) Error() string { return fmt.Sprint(f.Cause) }

// noteFault keeps the first fault of a script, which ends it. It is called while the failed Go functions are still on
// the stack.
func (m *Machine) noteFault(cause any) {
	if _, ok := cause.(runtime.Error); ok && m.fault == nil {
		m.fault = &Fault{Cause: cause, Stack: debug.Stack()}
	}
}
