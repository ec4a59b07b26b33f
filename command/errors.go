package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

// Errors that clients see, word for word as in Redis. Those of a single family are declared in its file.
var (
	ErrWrongType      = store.ErrWrongType
	ErrSyntax         = errors.New("ERR syntax error")
	ErrNotInteger     = errors.New("ERR value is not an integer or out of range")
	ErrNotFloat       = errors.New("ERR value is not a valid float")
	ErrNoSuchKey      = errors.New("ERR no such key")
	ErrOutOfRange     = errors.New("ERR index out of range")
	ErrOverflow       = errors.New("ERR increment or decrement would overflow")
	ErrNotPositive    = errors.New("ERR value is out of range, must be positive")
	ErrStringTooLong  = errors.New("ERR string exceeds maximum allowed size (proto-max-bulk-len)")
	errDBIndex        = errors.New("ERR DB index is out of range")
	errNoAuth         = errors.New("NOAUTH Authentication required.")
	ErrWrongPass      = errors.New("WRONGPASS invalid username-password pair or user is disabled.")
	errNestedMulti    = errors.New("ERR MULTI calls can not be nested")
	errWatchInMulti   = errors.New("ERR WATCH inside MULTI is not allowed")
	errExecNoMulti    = errors.New("ERR EXEC without MULTI")
	errDiscardNoMulti = errors.New("ERR DISCARD without MULTI")
	errExecAbort      = errors.New("EXECABORT Transaction discarded because of previous errors.")
	ErrInvalidCursor  = errors.New("ERR invalid cursor")
)

// errUnknownCommand quotes the first arguments, up to the 128 bytes that Redis quotes.
func errUnknownCommand(args [][]byte) error {
	var quoted strings.Builder
	for _, arg := range args[1:] {
		if quoted.Len() >= 128 {
			break
		}
		fmt.Fprintf(&quoted, "'%s' ", Clip(words.UntilNUL(arg), 128-quoted.Len()))
	}
	return words.Errorf("ERR unknown command '%s', with args beginning with: %s", Clip(args[0], 128), &quoted)
}

func errUnknownSubcommand(cmd *Command, sub []byte) error {
	return words.Errorf("ERR unknown subcommand '%s'. Try %s HELP.", Clip(sub, 128), strings.ToUpper(cmd.Name))
}

// ErrArity is the error for a wrong number of arguments.
func ErrArity(cmd *Command) error {
	return words.Errorf("ERR wrong number of arguments for '%s' command", cmd.FullName())
}

// ErrInvalidExpire is the error for an expiry time that is not positive or overflows.
func ErrInvalidExpire(cmd *Command) error {
	return words.Errorf("ERR invalid expire time in '%s' command", cmd.FullName())
}

// ErrBusy is the reply to all clients while a script exceeds busy-reply-threshold. o may be nil.
func (e *Env) ErrBusy(o *luaeval.BusyScript) error {
	kind := "SCRIPT"
	if o != nil && o.Function != "" {
		kind = "FUNCTION"
	}
	return words.Errorf("BUSY %s is busy running a script. You can only call %s KILL or SHUTDOWN NOSAVE.",
		e.Identity().Title, kind)
}

// errExecAbortBecause is the reply to an EXEC that is rejected itself.
func errExecAbortBecause(err error) error {
	return words.Errorf("EXECABORT Transaction discarded because of: %s", strings.TrimPrefix(err.Error(), "ERR "))
}

// Clip returns the first n bytes of b.
func Clip(b []byte, n int) string { return string(b[:min(n, len(b))]) }

// ErrSubcommandArity is the error of subcommands that check the number of their arguments themselves.
func ErrSubcommandArity(c *Call) error {
	return words.Errorf("ERR unknown subcommand or wrong number of arguments for '%s'. Try %s HELP.",
		Clip(c.Args[1], 128), strings.ToUpper(c.Cmd.container.Name))
}
