package command

// What other goroutines may read of a session: the fields of CLIENT LIST, and whether it is killed. The session itself
// works with plain fields and stores them here after each command, so that no command takes a lock for it.

import (
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/tracking"
	"github.com/minilockd/minilockd/pubsub"
)

var errClientName = errors.New("ERR Client names cannot contain spaces, newlines or special characters.")

// sessionInfo is safe for concurrent use. Only fields that have changed are stored: a store would invalidate the cache
// line for other cores, a load does not.
type sessionInfo struct {
	name     atomic.Pointer[string]
	libName  atomic.Pointer[string]
	libVer   atomic.Pointer[string]
	command  atomic.Pointer[Command] // the last command; nil if it was unknown
	db       atomic.Int64
	proto    atomic.Int64
	subs     atomic.Int64
	psubs    atomic.Int64
	ssubs    atomic.Int64
	multi    atomic.Int64 // queued commands, -1 outside MULTI
	watched  atomic.Int64 // keys
	calls    atomic.Int64 // that have ended; see PublishCalls
	active   atomic.Int64 // time of the last command, in seconds since the epoch
	prepared atomic.Bool  // MULTI or WATCH was called
	noEvict  atomic.Bool
	noTouch  atomic.Bool
	redirect atomic.Bool // CLIENT CAPA REDIRECT
	imports  atomic.Bool // CLIENT IMPORT-SOURCE
	readOnly atomic.Bool // READONLY
	known    atomic.Bool // the client has authenticated, or needed not to
	exempt   atomic.Bool
	monitors atomic.Bool // MONITOR
	replica  atomic.Bool // SYNC or PSYNC
	master   atomic.Bool // what a master sends: see NewMasterSession
	muted    atomic.Bool // CLIENT REPLY OFF
	user     atomic.Pointer[acl.User]
	closed   atomic.Bool // Session.Close was called
	killed   atomic.Bool // Session.Kill was called: the session serves no further command
}

func (i *sessionInfo) serving(cmd *Command) {
	if i.command.Load() != cmd {
		i.command.Store(cmd)
	}
}

func (i *sessionInfo) publish(s *Session) {
	update(&i.db, int64(s.tx.DB()))
	update(&i.proto, int64(s.proto))
	update(&i.active, s.tx.Now()/1000)
	queued := int64(-1)
	if s.multi != nil {
		queued = int64(len(s.multi.calls))
	}
	update(&i.multi, queued)
}

func update(a *atomic.Int64, v int64) {
	if a.Load() != v {
		a.Store(v)
	}
}

func (i *sessionInfo) countSubscriptions(s *pubsub.Subscriber) {
	i.subs.Store(int64(len(s.Names(pubsub.Channel))))
	i.psubs.Store(int64(len(s.Names(pubsub.Pattern))))
	i.ssubs.Store(int64(s.Count(pubsub.Shard)))
}

func (i *sessionInfo) subscribed() bool { return i.subs.Load()+i.psubs.Load()+i.ssubs.Load() > 0 }

// Printable reports whether value has only printable ASCII characters and no blanks, as CLIENT SETNAME requires.
func Printable(value []byte) bool {
	for _, c := range value {
		if c < '!' || c > '~' {
			return false
		}
	}
	return true
}

func loadString(p *atomic.Pointer[string]) string {
	if s := p.Load(); s != nil {
		return *s
	}
	return ""
}

// Name returns what CLIENT SETNAME has set. It is safe for concurrent use, as are the other methods of this file that
// return what CLIENT LIST shows.
func (s *Session) Name() string { return loadString(&s.info.name) }

// CheckClientName returns the error of CLIENT SETNAME for a name that is not Printable.
func CheckClientName(name []byte) error {
	if !Printable(name) {
		return errClientName
	}
	return nil
}

// SetName implements CLIENT SETNAME. An empty name removes it; for the error see CheckClientName.
func (s *Session) SetName(name []byte) error {
	if err := CheckClientName(name); err != nil {
		return err
	}
	text := string(name)
	s.info.name.Store(&text)
	return nil
}

// SetLibName sets the name of the client's library: CLIENT SETINFO.
func (s *Session) SetLibName(name string) { s.info.libName.Store(&name) }

// LibName returns the name of the client's library, LibVersion its version; "" if it has told none.
func (s *Session) LibName() string { return loadString(&s.info.libName) }

// LibVersion is described at LibName.
func (s *Session) LibVersion() string { return loadString(&s.info.libVer) }

// DB returns the selected database, as it was after the last command.
func (s *Session) DB() int64 { return s.info.db.Load() }

// Age returns the seconds since the client connected.
func (s *Session) Age(now time.Time) int64 { return now.Unix() - s.Created.Unix() }

// Idle returns the seconds since the last command.
func (s *Session) Idle(now time.Time) int64 {
	return max(0, now.Unix()-max(s.info.active.Load(), s.Created.Unix()))
}

// Queued returns the number of calls that are queued for EXEC. Outside of MULTI it is -1, in Valkey only until the
// first MULTI or WATCH.
func (s *Session) Queued() int64 {
	n := s.info.multi.Load()
	if n < 0 && s.info.prepared.Load() && s.env.Table.Server.Does(emulate.MultiStays) {
		return 0
	}
	return n
}

// Watched returns the number of watched keys.
func (s *Session) Watched() int64 { return s.info.watched.Load() }

// PublishCalls updates the number of calls that CLIENT LIST shows of the session to other clients.
func (s *Session) PublishCalls() { update(&s.info.calls, s.undoLog.Calls) }

// Library returns the name and the version of the client's library, with a blank between; "" if it has told none.
func (s *Session) Library() string {
	return strings.TrimSpace(s.LibName() + " " + s.LibVersion())
}

// LastCommand returns the name of the last command, "" for none or an unknown one, and when it was sent, to the second.
func (s *Session) LastCommand() (name string, at time.Time) {
	if cmd := s.info.command.Load(); cmd != nil {
		name = cmd.FullName()
	}
	return name, time.Unix(max(s.info.active.Load(), s.Created.Unix()), 0)
}

// SetLibVersion sets the version of the client's library: CLIENT SETINFO.
func (s *Session) SetLibVersion(version string) { s.info.libVer.Store(&version) }

// SetNoEvict is CLIENT NO-EVICT, which CLIENT LIST shows. No client is ever evicted here.
func (s *Session) SetNoEvict(on bool) { s.info.noEvict.Store(on) }

// SetNoTouch is CLIENT NO-TOUCH: commands of the session don't update the LRU and LFU data of keys.
func (s *Session) SetNoTouch(on bool) {
	s.info.noTouch.Store(on)
	s.tx.SetQuiet(on)
}

// SetRedirect is CLIENT CAPA REDIRECT, which CLIENT LIST shows.
func (s *Session) SetRedirect() { s.info.redirect.Store(true) }

// Capabilities returns the letters of what CLIENT CAPA has named.
func (s *Session) Capabilities() string {
	if s.info.redirect.Load() {
		return "r"
	}
	return ""
}

// SetImports is CLIENT IMPORT-SOURCE: see store.Tx.SetImports. CLIENT LIST shows it.
func (s *Session) SetImports(on bool) {
	s.info.imports.Store(on)
	s.tx.SetImports(on)
}

// SetReadOnly is READONLY and READWRITE, which CLIENT LIST shows.
func (s *Session) SetReadOnly(on bool) { s.info.readOnly.Store(on) }

// User returns the client's ACL user.
func (s *Session) User() *acl.User { return s.info.user.Load() }

// Subscribed reports whether the client has subscriptions.
func (s *Session) Subscribed() bool { return s.info.subscribed() }

// Killed reports whether Kill was called.
func (s *Session) Killed() bool { return s.info.killed.Load() }

// SetExempt exempts all calls of the session from what commands with the flag Control are exempt from: CLIENT PAUSE,
// faults and partitions.
func (s *Session) SetExempt() { s.info.exempt.Store(true) }

// Exempt reports whether SetExempt was called.
func (s *Session) Exempt() bool { return s.info.exempt.Load() }

// Controls reports whether the session is exempt, or its last command has the flag Control. It is safe for concurrent
// use.
func (s *Session) Controls() bool {
	if s.Exempt() {
		return true
	}
	cmd := s.info.command.Load()
	return cmd != nil && cmd.Flags.Has(Control)
}

// PublishInfo updates what CLIENT LIST shows of the session while a command runs. After each command that happens
// anyway.
func (s *Session) PublishInfo() { s.info.publish(s) }

// Kill closes the client's connection without serving the commands that it has sent. It is safe for concurrent use.
func (s *Session) Kill() {
	s.info.killed.Store(true)
	s.peer.Kill()
}

// FlagLetters returns the letters of the field flags (CLIENT LIST command page), N if none applies.
func (s *Session) FlagLetters() string {
	track := s.Tracker().State()
	var letters []byte
	for _, f := range []struct {
		letter byte
		on     bool
	}{
		{'S', s.info.replica.Load()}, {'M', s.info.master.Load()}, {'O', s.info.monitors.Load()},
		{'P', s.info.subscribed()}, {'b', s.blocked.Load() != nil},
		{'x', s.info.multi.Load() >= 0}, {'d', s.watch.Dirty()},
		{'U', strings.HasSuffix(s.Addr, ":0")}, // a Unix domain socket
		{'t', track.On}, {'R', track.Mode&tracking.Broken != 0}, {'B', track.Mode&tracking.Broadcasting != 0},
		{'e', s.info.noEvict.Load()}, {'T', s.info.noTouch.Load()}, {'I', s.info.imports.Load()},
		{'r', s.info.readOnly.Load()},
	} {
		if f.on {
			letters = append(letters, f.letter)
		}
	}
	if len(letters) == 0 {
		return "N"
	}
	return string(letters)
}

// requestSize returns the bytes of a request in RESP, and of its arguments alone.
func requestSize(args [][]byte) (request, argv int) {
	request = len("*\r\n") + decimals(len(args))
	for _, arg := range args {
		request += len("$\r\n\r\n") + decimals(len(arg)) + len(arg)
		argv += len(arg)
	}
	return request, argv
}

// decimals returns the number of decimal digits of n, which is not negative.
func decimals(n int) (digits int) {
	for digits = 1; n > 9; n /= 10 {
		digits++
	}
	return digits
}
