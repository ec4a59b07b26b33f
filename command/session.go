package command

// A Session has no lock. Its connection serves one command at a time, and whatever runs for a command (the handler, its
// transaction, a script) runs in the goroutine of the connection, which owns every field, with these exceptions:
//
//   - ID, Addr, LocalAddr, Created, env, peer, tx, subs and stripe never change, so any goroutine may read them. Of
//     what tx points to, other goroutines may use only Store; the rest is safe for concurrent use or says what is.
//   - info, blocked, tracker, pushes and Traffic may be used from any goroutine: CLIENT LIST and CLIENT KILL of other
//     clients, the transaction that serves a blocked call, timers.
//   - watch is marked dirty by the transactions of other clients (store/watch.go).
//
// What another goroutine has to say to the client, it gives to peer or puts into pushes. It never writes to Out.

import (
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
	"github.com/minilockd/minilockd/internal/tracking"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

// Peer is the connection of a session. The server package implements it.
type Peer interface {
	pubsub.Sink
	// Post queues replies among the pushed messages, in the order of the calls, and returns an empty buffer for the
	// next replies: out itself may be queued. Only the session itself may call it.
	Post(out []byte) []byte
	// Deliver queues the reply of a blocked command and implies Wake. The caller must not change reply afterwards. It
	// is safe for concurrent use and may be called under any lock.
	Deliver(reply []byte)
	// HoldPushes holds back pushed messages until the next Post, so that a client reads the reply to SUBSCRIBE first.
	HoldPushes()
	// Wake makes the connection check Session.CanResume. It is safe for concurrent use and may be called under any lock.
	Wake()
	// Pending returns the number of bytes that the client has not been sent yet. It is safe for concurrent use.
	Pending() int
	// Kill closes the connection. It is safe for concurrent use.
	Kill()
	// Restrict limits what the connection transfers from now on. Only the session itself may call it.
	Restrict(r Restriction)
}

// Session is the state of one client: its user, database, transaction, watched keys and subscriptions.
type Session struct {
	ID        int64
	Addr      string
	LocalAddr string
	Created   time.Time

	// Out collects replies until the connection writes them. Once the client may get pushed messages, Peer.Post takes
	// the replies instead.
	Out []byte
	// Closing makes the connection close once Out is written.
	Closing bool
	// HookData is what the Hooks keep for the session. Only Hooks.Before and Hooks.Connected may use it.
	HookData any

	env           *Env
	peer          Peer
	tx            *store.Tx
	call          Call
	proto         int
	authenticated bool
	user          *acl.User
	pushesEnabled bool
	holdsPushes   bool // pushes are held until the command has replied
	replyMode     ReplyMode
	hooked        bool      // Hooks have been asked about the command that is served
	replied       int       // the bytes of the last reply
	cut           *replyCut // of the command that is executed; nil for most
	outOfMemory   bool      // used memory was above maxmemory before the command, even after eviction
	multi         *queue    // nil outside MULTI
	watch         store.Watch
	subs          *pubsub.Subscriber
	lua           scriptCaller // by value, so that it shares no cache line with one of another core
	arena         replyArena
	blocked       atomic.Pointer[blockedCall]
	tracker       atomic.Pointer[tracking.Tracker] // nil until CLIENT TRACKING is called
	info          sessionInfo
	// Traffic is what the connection reads and writes.
	Traffic stats.Traffic

	stripe  stats.Stripe // the counters for the calls of this session
	undoLog stats.UndoLog
	changes *keyChanges // nil until a transaction changes a key while the hooks want to know
	writes  *Writes     // nil until a transaction changes a key while there are replicas

	replicaData any // see SetReplicaData; nil for most
	batchClock  batchClock

	asking uint8 // see Asking; counts down with each command

	scripts luaeval.Recent

	pushes       pushQueue
	broadcasts   []tracking.Push   // taken from pushes; sent once the pipeline is served
	monitorLines []*pubsub.Message // of the command that this session runs, if it is in MONITOR mode
}

// NewSession returns the session of a new connection. id must be unique in the server. The caller must Close it.
func NewSession(env *Env, id int64, addr, localAddr string, peer Peer) *Session {
	s := &Session{ID: id, Addr: addr, LocalAddr: localAddr, Created: env.Clock.Now(), env: env, peer: peer,
		proto: resp.RESP2}
	s.stripe = env.Stats.Calls.Stripe(id, env.Table.size)
	s.tx = env.Store.NewTx()
	s.tx.Owner = s
	s.subs = pubsub.NewSubscriber(peer)
	s.subs.Owner = s
	s.setUser(env.ACL.Default)
	s.authenticated = env.ACL.Open()
	s.info.known.Store(s.authenticated)
	s.info.publish(s)
	return s
}

// batchClock decides which commands of a pipeline share one reading of the clock. Reading it costs a good part of what
// a short command costs.
type batchClock struct {
	lastBrief bool // the last command needed no noticeable time, or its end is known
	count     int  // commands since the clock was read
}

// maxReuse is the most commands that share a time.
const maxReuse = 64

// ReuseTime says whether the next command came in the same read as the previous one. If so, and the previous one was
// brief, both get the same time.
func (s *Session) ReuseTime(same bool) {
	b := &s.batchClock
	if same = same && b.lastBrief && b.count < maxReuse; same {
		b.count++
	} else {
		b.count = 0
	}
	s.tx.SameTime(same)
}

// endsAt makes t, the end of the current command, the time at which the next command of the pipeline begins.
func (s *Session) endsAt(t time.Time) {
	s.batchClock = batchClock{lastBrief: true}
	s.tx.EndsAt(t)
}

// counts returns the counters for the calls of a command by this session.
func (s *Session) counts(cmd *Command) *stats.Counts { return &s.stripe[cmd.Number] }

// Close releases what the session holds in the server: subscriptions, watched keys, tracking and a blocked call. Its
// connection calls it last.
func (s *Session) Close() {
	if p := s.blocked.Load(); p != nil {
		p.end(resp.None)
		s.endBlocking(p)
		p.releaseClock()
	}
	s.info.closed.Store(true)
	s.env.Stats.Meter.End(&s.Traffic)
	if t := s.tracker.Load(); t != nil {
		t.Drop()
	}
	s.unmonitor()
	s.env.PubSub.Drop(s.subs)
	s.unwatch()
	if s.IsReplica() {
		s.env.Replication.Drop(s)
	}
}

// enablePushes sends replies by Peer.Post from now on, so that they keep their order among pushed messages.
func (s *Session) enablePushes() {
	if s.pushesEnabled {
		return
	}
	s.Out = s.peer.Post(s.Out)
	s.pushesEnabled = true
}

// reply encodes a value for the client. CLIENT REPLY OFF suppresses replies, but no pushes, such as that which confirms
// a subscription.
func (s *Session) reply(v resp.Value) {
	before := len(s.Out)
	if s.sendsReply(v) || v.Kind() == resp.KindEncoded {
		s.Out = resp.Append(s.Out, v, s.proto)
	}
	s.replied = len(s.Out) - before
	s.arena.release()
	if s.pushesEnabled && s.cut == nil {
		s.Out = s.peer.Post(s.Out)
	}
}

// Break replies to input that is not RESP and makes the connection close.
func (s *Session) Break(err error) {
	if s.replyMode <= ReplySkipNext {
		s.Out = resp.Append(s.Out, resp.Error("ERR Protocol error: "+err.Error()), resp.RESP2)
	}
	s.Closing = true
}

// sendsReply reports whether CLIENT REPLY lets the reply v through.
func (s *Session) sendsReply(v resp.Value) bool { return s.replyMode <= ReplySkipNext || v.IsPush() }

// ReplyMode is what CLIENT REPLY has set.
type ReplyMode uint8

// The modes, from the current command on.
const (
	ReplyOn       ReplyMode = iota
	ReplySkipNext           // the current command is CLIENT REPLY SKIP
	ReplySkip               // the current command gets no reply
	ReplyOff
)

// Replies returns what CLIENT REPLY has set.
func (s *Session) Replies() ReplyMode { return s.replyMode }

// SetReplies implements CLIENT REPLY.
func (s *Session) SetReplies(mode ReplyMode) {
	s.replyMode = mode
	s.info.muted.Store(mode == ReplyOff)
}

// afterCommand updates what CLIENT LIST shows of the session, sends what is to follow the reply, and advances CLIENT
// REPLY SKIP.
func (s *Session) afterCommand() {
	s.info.publish(s)
	if s.monitorLines != nil {
		s.pushMonitorLines()
	}
	if s.asking > 0 && s.multi == nil {
		s.asking--
	}
	s.releasePushes()
	s.FlushPushes()
	switch s.replyMode {
	case ReplySkipNext:
		s.replyMode = ReplySkip
	case ReplySkip:
		if p := s.blocked.Load(); p == nil || !p.stopped {
			s.replyMode = ReplyOn
		}
	}
}

// unwatch forgets the watched keys.
func (s *Session) unwatch() {
	s.env.Store.Unwatch(&s.watch)
	update(&s.info.watched, 0)
}

// Authenticated reports whether the client may call commands without AUTH.
func (s *Session) Authenticated() bool { return s.authenticated || s.env.ACL.Open() }

// setUser changes the client's user.
func (s *Session) setUser(u *acl.User) {
	s.user = u
	s.info.user.Store(u)
}

// Proto returns the version of RESP that the client has chosen: 2 or 3.
func (s *Session) Proto() int { return s.proto }

// SetProto sets the version of RESP from the current command's reply on.
func (s *Session) SetProto(proto int) { s.proto = proto }

// Login makes u the client's user after a successful AUTH.
func (s *Session) Login(u *acl.User) {
	s.setUser(u)
	s.authenticated = true
	s.info.known.Store(true)
}

// Reset implements RESET: the session gets the state of a new connection.
func (s *Session) Reset() {
	s.multi = nil
	s.unwatch()
	s.env.PubSub.Drop(s.subs)
	s.info.countSubscriptions(s.subs)
	s.unmonitor()
	s.Untrack()
	s.SetReplies(ReplyOn)
	s.proto = resp.RESP2
	s.SetNoTouch(false)
	if s.env.Table.Server.Does(emulate.ResetsNoEvict) {
		s.SetNoEvict(false)
	}
	if s.env.Table.Server.Does(emulate.ResetsImports) {
		s.SetImports(false)
	}
	s.setUser(s.env.ACL.Default)
	s.authenticated = s.env.ACL.Open()
	_ = s.SetName(nil)
	s.tx.Select(0)
}

// RecentScripts returns the cache of the scripts that this session has called last.
func (s *Session) RecentScripts() *luaeval.Recent { return &s.scripts }

// Pending returns the number of bytes that the client has not been sent yet. It is safe for concurrent use.
func (s *Session) Pending() int { return s.peer.Pending() }
