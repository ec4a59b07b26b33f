package command

// Persistence is the part of a server that has its RDB file: package command/persistence. All methods are safe for
// concurrent use.
type Persistence interface {
	// Reject returns the error for a call while the last attempt to save the data has failed; nil if it
	// may run. It is asked while Env.RejectUnsaved is on. flags are those of the command and of what it runs; cmd is nil
	// for one that a script calls.
	Reject(cmd *Command, flags Flags) error
	// Close waits until nothing is saved any more.
	Close()
}

// RejectUnsaved turns Persistence.Reject on or off.
func (e *Env) RejectUnsaved(on bool) { e.roles.turn(saveFailed, on) }
