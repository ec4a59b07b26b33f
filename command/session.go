package command

import (
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

// Peer is the connection behind a session.
type Peer interface {
	pubsub.Sink
	// Post hands over replies that must keep their place among pushed messages; out is copied.
	Post(out []byte)
	// Cork holds pushed messages back until the next Post, so that the reply which announces a subscription comes first.
	Cork()
	// Kill closes the connection. It may be called from any goroutine.
	Kill()
}

// Session is the state of one client: who it is, what it has selected, queued, watched and subscribed to. A session serves
// one command at a time; the fields behind Info may be read by others.
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

	env    *Env
	peer   Peer
	tx     *store.Tx
	call   Call
	proto  int
	authed bool
	shared bool
	silent replyMode
	multi  *queue
	watch  store.Watch
	subs   *pubsub.Subscriber
	lua    *scriptCaller
	info   sessionInfo
}

// NewSession returns the session of a new connection.
func NewSession(env *Env, id int64, addr, localAddr string, peer Peer) *Session {
	s := &Session{ID: id, Addr: addr, LocalAddr: localAddr, Created: env.Clock.Now(), env: env, peer: peer, proto: resp.RESP2}
	s.tx = env.Store.NewTx()
	s.subs = pubsub.NewSubscriber(peer)
	s.authed = env.Config.Password() == ""
	s.info.publish(s)
	return s
}

// Close gives up what the session holds in the server: subscriptions and watches.
func (s *Session) Close() {
	s.env.PubSub.Drop(s.subs)
	s.unwatch()
}

// share makes the session's replies take their turn with pushed messages.
func (s *Session) share() {
	if s.shared {
		return
	}
	s.peer.Post(s.Out)
	s.Out = s.Out[:0]
	s.shared = true
}

// reply encodes a value for the client.
func (s *Session) reply(v resp.Value) {
	if s.silent == replyOn {
		s.Out = resp.Append(s.Out, v, s.proto)
	}
	if s.shared {
		s.peer.Post(s.Out)
		s.Out = s.Out[:0]
	}
}

// replyMode is what CLIENT REPLY has set.
type replyMode uint8

const (
	replyOn       replyMode = iota
	replySkipNext           // CLIENT REPLY SKIP itself is being answered
	replySkip               // the command now running is not answered
	replyOff
)

// afterCommand moves CLIENT REPLY SKIP on.
func (s *Session) afterCommand() {
	switch s.silent {
	case replySkipNext:
		s.silent = replySkip
	case replySkip:
		s.silent = replyOn
	}
}

// unwatch forgets the watched keys.
func (s *Session) unwatch() {
	if !s.watch.Empty() {
		s.tx.Do(s.watch.Locks(), false, func() { s.tx.Unwatch(&s.watch) }, func() {})
	}
}

// sessionInfo is the part of a session that CLIENT LIST shows, published after each change for other goroutines to read.
type sessionInfo struct {
	name    atomic.Pointer[string]
	libName atomic.Pointer[string]
	libVer  atomic.Pointer[string]
	user    atomic.Pointer[string]
	db      atomic.Int64
	proto   atomic.Int64
	subs    atomic.Int64
	psubs   atomic.Int64
	ssubs   atomic.Int64
	multi   atomic.Int64 // queued commands, -1 outside MULTI
	watch   atomic.Int64
	noEvict atomic.Bool
	active  atomic.Int64 // ms since the epoch of the last command
	command atomic.Pointer[Command]
}

func (i *sessionInfo) publish(s *Session) {
	i.db.Store(int64(s.tx.DB()))
	i.proto.Store(int64(s.proto))
	i.multi.Store(-1)
	if s.multi != nil {
		i.multi.Store(int64(len(s.multi.calls)))
	}
}

func (i *sessionInfo) countSubscriptions(s *pubsub.Subscriber) {
	i.subs.Store(int64(len(s.Names(pubsub.Channel))))
	i.psubs.Store(int64(len(s.Names(pubsub.Pattern))))
	i.ssubs.Store(int64(s.Count(pubsub.Shard)))
}

// Authenticated reports whether the client may use the server.
func (s *Session) Authenticated() bool { return s.authed }

// Proto is the version of RESP that the client speaks.
func (s *Session) Proto() int { return s.proto }
