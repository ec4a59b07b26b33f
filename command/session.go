package command

import (
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/stats"
	"github.com/minilockd/minilockd/internal/tracking"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

// Peer is the connection behind a session.
type Peer interface {
	pubsub.Sink
	// Post hands over replies that must keep their place among pushed messages, and returns an empty buffer for the next
	// ones: out is copied or kept. Only the connection's own session may call it.
	Post(out []byte) []byte
	// Deliver hands over the reply of a blocked command that another client, or the time, has served; it must not change
	// any more. It implies Wake, and may be called from any goroutine, under any lock.
	Deliver(reply []byte)
	// Cork holds pushed messages back until the next Post, so that the reply which announces a subscription comes first.
	Cork()
	// Wake tells that a blocked session is Awake. It may be called from any goroutine, under any lock.
	Wake()
	// Pending is how many bytes the client has still to be sent. It may be called from any goroutine.
	Pending() int
	// Kill closes the connection. It may be called from any goroutine.
	Kill()
}

// Session is the state of one client: who it is, what it has selected, queued, watched and subscribed to. A session
// serves one command at a time; what others may read of it is in info.
type Session struct {
	ID        int64
	Addr      string
	LocalAddr string
	Created   time.Time

	// Out collects replies until the connection writes them. Once the session shares its connection with pushed messages
	// they go to Peer.Post instead.
	Out []byte
	// Closing asks the connection to close once Out is written.
	Closing bool

	env     *Env
	peer    Peer
	tx      *store.Tx
	call    Call
	proto   int
	authed  bool
	user    *acl.User
	shared  bool
	silent  ReplyMode
	short   bool // memory was short when the command began
	multi   *queue
	watch   store.Watch
	subs    *pubsub.Subscriber
	lua     scriptCaller // small: allocated by itself it would share cache lines with that of a session on another core
	arena   replyArena
	blocked atomic.Pointer[blockedCall]
	info    sessionInfo
	// Traffic is counted by the connection.
	Traffic stats.Traffic

	stripe     stats.Stripe // where the calls are counted
	journal    stats.Journal
	batchClock batchClock

	scripts luaeval.Recent

	pushes     pushQueue
	broadcasts []tracking.Push   // taken from pushes, sent once the commands that have arrived are served
	seen       []*pubsub.Message // what the session is to be shown of the command it runs, if it monitors
	tracker    *tracking.Tracker // nil until CLIENT TRACKING is called
}

// NewSession returns the session of a new connection.
func NewSession(env *Env, id int64, addr, localAddr string, peer Peer) *Session {
	s := &Session{ID: id, Addr: addr, LocalAddr: localAddr, Created: env.Clock.Now(), env: env, peer: peer, proto: resp.RESP2}
	s.stripe = env.Stats.Calls.Stripe(id, env.Table.size)
	s.tx = env.Store.NewTx()
	s.tx.Owner = s
	s.subs = pubsub.NewSubscriber(peer)
	s.become(env.ACL.Default)
	s.authed = env.ACL.Open()
	s.info.publish(s)
	return s
}

// batchClock is about commands that share one look at the clock, which costs a good part of what a short command takes.
type batchClock struct {
	brief bool // the last command can't have taken long, or it is known when it ended
	count int  // commands served since the clock was read
}

// maxReuse bounds how many commands share a time.
const maxReuse = 64

// ReuseTime tells whether the next command came in one piece with the one before. If it did, and that one was brief,
// the two happen at the same time.
func (s *Session) ReuseTime(same bool) {
	m := &s.batchClock
	if same = same && m.brief && m.count < maxReuse; same {
		m.count++
	} else {
		m.count = 0
	}
	s.tx.SameTime(same)
}

// endsAt tells when the command that is being served ends.
func (s *Session) endsAt(t time.Time) {
	s.batchClock = batchClock{brief: true}
	s.tx.EndsAt(t)
}

// counts is where the session's calls of a command are counted.
func (s *Session) counts(cmd *Command) *stats.Counts { return &s.stripe[cmd.Number] }

// Close gives up what the session holds in the server: subscriptions, watches and its place among those who wait.
func (s *Session) Close() {
	if p := s.blocked.Load(); p != nil {
		p.end(resp.None)
		s.endBlocking(p)
	}
	s.info.gone.Store(true)
	s.env.Stats.Meter.End(&s.Traffic)
	if s.tracker != nil {
		s.tracker.Drop()
	}
	s.unmonitor()
	s.env.PubSub.Drop(s.subs)
	s.unwatch()
}

// share makes the session's replies take their turn with pushed messages.
func (s *Session) share() {
	if s.shared {
		return
	}
	s.Out = s.peer.Post(s.Out)
	s.shared = true
}

// reply encodes a value for the client. CLIENT REPLY silences replies, but not what is pushed, such as the
// confirmation of a subscription.
func (s *Session) reply(v resp.Value) {
	if s.answers(v) || v.Kind() == resp.KindEncoded {
		s.Out = resp.Append(s.Out, v, s.proto)
	}
	s.arena.release()
	if s.shared {
		s.Out = s.peer.Post(s.Out)
	}
}

// Break answers bytes that are no command, and asks the connection to close.
func (s *Session) Break(err error) {
	if s.silent <= ReplySkipNext {
		s.Out = resp.Append(s.Out, resp.Error("ERR Protocol error: "+err.Error()), resp.RESP2)
	}
	s.Closing = true
}

// answers reports whether a reply is sent, as CLIENT REPLY has set.
func (s *Session) answers(v resp.Value) bool { return s.silent <= ReplySkipNext || v.IsPush() }

// ReplyMode is what CLIENT REPLY has set.
type ReplyMode uint8

// The modes.
const (
	ReplyOn       ReplyMode = iota
	ReplySkipNext           // CLIENT REPLY SKIP itself is being answered
	ReplySkip               // the command now running is not answered
	ReplyOff
)

// Replies says whether replies are sent.
func (s *Session) Replies() ReplyMode { return s.silent }

// SetReplies sets whether replies are sent from now on: CLIENT REPLY.
func (s *Session) SetReplies(mode ReplyMode) {
	s.silent = mode
	s.info.muted.Store(mode == ReplyOff)
}

// afterCommand moves CLIENT REPLY SKIP on, and lets others see what the command has changed.
func (s *Session) afterCommand() {
	s.info.publish(s)
	if s.seen != nil {
		s.showSeen()
	}
	s.FlushPushes()
	switch s.silent {
	case ReplySkipNext:
		s.silent = ReplySkip
	case ReplySkip:
		if p := s.blocked.Load(); p == nil || !p.postponed {
			s.silent = ReplyOn
		}
	}
}

// unwatch forgets the watched keys.
func (s *Session) unwatch() {
	s.env.Store.Unwatch(&s.watch)
}

// Authenticated reports whether the client may use the server.
func (s *Session) Authenticated() bool { return s.authed || s.env.ACL.Open() }

// become makes the client a user.
func (s *Session) become(u *acl.User) {
	s.user = u
	s.info.user.Store(u)
}

// Proto is the version of RESP that the client speaks.
func (s *Session) Proto() int { return s.proto }

// SetProto sets the version of RESP that the client speaks from now on.
func (s *Session) SetProto(proto int) { s.proto = proto }

// Login makes the client a user, once it has authenticated.
func (s *Session) Login(u *acl.User) {
	s.become(u)
	s.authed = true
}

// Reset brings the session into the state of a new connection: RESET.
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
	s.become(s.env.ACL.Default)
	s.authed = s.env.ACL.Open()
	_ = s.SetName(nil)
	s.tx.Select(0)
}

// RecentScripts are the scripts that the session has called last.
func (s *Session) RecentScripts() *luaeval.Recent { return &s.scripts }

// Pending is how many bytes the client has still to be sent.
func (s *Session) Pending() int { return s.peer.Pending() }
