package command

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/tracking"
	"github.com/minilockd/minilockd/pubsub"
)

var errClientName = errors.New("ERR Client names cannot contain spaces, newlines or special characters.")

// sessionInfo is the part of a session that others may read: what CLIENT LIST shows. The session writes it after each
// command, and only what has changed: a load costs less than a store that others must see.
type sessionInfo struct {
	name     atomic.Pointer[string]
	libName  atomic.Pointer[string]
	libVer   atomic.Pointer[string]
	command  atomic.Pointer[Command] // the last one; nil if it was unknown
	db       atomic.Int64
	proto    atomic.Int64
	subs     atomic.Int64
	psubs    atomic.Int64
	ssubs    atomic.Int64
	multi    atomic.Int64 // queued commands, -1 outside MULTI
	active   atomic.Int64 // when the last command ran, in seconds since the epoch
	noEvict  atomic.Bool
	noTouch  atomic.Bool
	monitors atomic.Bool // MONITOR
	muted    atomic.Bool // CLIENT REPLY OFF
	user     atomic.Pointer[acl.User]
	closed   atomic.Bool // the session is closed
	killed   atomic.Bool // set by others: the session serves no further command
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

// Printable reports whether a client's name or the like consists of printable characters without blanks.
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

// Name is what CLIENT SETNAME has set. It may be called from any goroutine, as may the other methods that read what
// CLIENT LIST shows.
func (s *Session) Name() string { return loadString(&s.info.name) }

// SetName names the connection; empty for no name.
func (s *Session) SetName(name []byte) error {
	if !Printable(name) {
		return errClientName
	}
	text := string(name)
	s.info.name.Store(&text)
	return nil
}

// SetLibName sets the name of the client's library: CLIENT SETINFO.
func (s *Session) SetLibName(name string) { s.info.libName.Store(&name) }

// SetLibVersion sets the version of the client's library: CLIENT SETINFO.
func (s *Session) SetLibVersion(version string) { s.info.libVer.Store(&version) }

// SetNoEvict is CLIENT NO-EVICT, which CLIENT LIST shows. No client is ever evicted here.
func (s *Session) SetNoEvict(on bool) { s.info.noEvict.Store(on) }

// SetNoTouch is CLIENT NO-TOUCH: commands of the session don't mark keys as used.
func (s *Session) SetNoTouch(on bool) {
	s.info.noTouch.Store(on)
	s.tx.SetQuiet(on)
}

// User is the user that the client is.
func (s *Session) User() *acl.User { return s.info.user.Load() }

// Subscribed reports whether the client has subscriptions.
func (s *Session) Subscribed() bool { return s.info.subscribed() }

// Killed reports whether Kill was called.
func (s *Session) Killed() bool { return s.info.killed.Load() }

// PublishInfo brings what CLIENT LIST shows of the session up to date within a command; after each that is done anyway.
func (s *Session) PublishInfo() { s.info.publish(s) }

// Kill closes the client's connection. What it has sent but was not served yet is dropped.
func (s *Session) Kill() {
	s.info.killed.Store(true)
	s.peer.Kill()
}

// ReplyBlock is the size of a client's fixed reply buffer in Redis, and of a block of its list of replies, in bytes.
const ReplyBlock = 16 << 10

// Describe is the session's line of CLIENT LIST: the fields of Redis 7.0 in their order, and those of 7.2 about
// libraries. Of buffers only what is still to be sent is known, and the request that a session describes itself in,
// self.
func (s *Session) Describe(now time.Time, self *Call) string {
	i := &s.info
	track := s.Tracker().State()
	active := max(i.active.Load(), s.Created.Unix())
	request, words := 0, 0
	if s == self.Session {
		request, words = requestSize(self.Args)
	}
	pending := s.peer.Pending()
	beyond := max(pending-ReplyBlock, 0)
	last := "NULL"
	if cmd := i.command.Load(); cmd != nil {
		last = cmd.FullName()
	}
	return fmt.Sprintf("id=%d addr=%s laddr=%s fd=-1 name=%s age=%d idle=%d flags=%s db=%d sub=%d psub=%d ssub=%d multi=%d "+
		"qbuf=%d qbuf-free=0 argv-mem=%d multi-mem=0 rbs=0 rbp=0 obl=%d oll=%d omem=%d tot-mem=%d events=r cmd=%s user=%s "+
		"redir=%d resp=%d lib-name=%s lib-ver=%s\n",
		s.ID, s.Addr, s.LocalAddr, loadString(&i.name), now.Unix()-s.Created.Unix(), max(0, now.Unix()-active), s.flags(), i.db.Load(), i.subs.Load(), i.psubs.Load(),
		i.ssubs.Load(), i.multi.Load(), request, words, min(pending, ReplyBlock), (beyond+ReplyBlock-1)/ReplyBlock, beyond,
		request+pending, last, i.user.Load().Name, track.RedirectID(), i.proto.Load(), loadString(&i.libName), loadString(&i.libVer))
}

// flags are the letters that CLIENT LIST shows for the state of a client (CLIENT LIST command page), N if none applies.
func (s *Session) flags() string {
	track := s.Tracker().State()
	var letters []byte
	for _, f := range []struct {
		letter byte
		on     bool
	}{
		{'O', s.info.monitors.Load()}, {'P', s.info.subscribed()}, {'b', s.blocked.Load() != nil},
		{'x', s.info.multi.Load() >= 0}, {'d', s.watch.Dirty()},
		{'U', strings.HasSuffix(s.Addr, ":0")}, // over a Unix domain socket
		{'t', track.On}, {'R', track.Mode&tracking.Broken != 0}, {'B', track.Mode&tracking.Broadcasting != 0},
		{'e', s.info.noEvict.Load()}, {'T', s.info.noTouch.Load()},
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

// requestSize is the bytes of a request in the protocol, and those of its words alone.
func requestSize(args [][]byte) (request, words int) {
	request = len("*\r\n") + len(strconv.Itoa(len(args)))
	for _, arg := range args {
		request += len("$\r\n\r\n") + len(strconv.Itoa(len(arg))) + len(arg)
		words += len(arg)
	}
	return request, words
}
