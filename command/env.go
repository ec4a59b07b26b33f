package command

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/stats"
	"github.com/minilockd/minilockd/internal/tracking"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

// Env is what all sessions of one server share. NewEnv makes it.
type Env struct {
	Table   *Table
	Store   *store.Store
	PubSub  *pubsub.Registry
	Clock   clock.Clock
	Config  *config.Config
	ACL     *acl.Users
	Clients Clients
	Stats   *stats.Stats
	Scripts *luaeval.Engine
	Log     *slog.Logger
	RunID   string // 40 hex digits, new at each start
	Started time.Time
	Port    int // 0 when there is no TCP listener

	// SkipChecksum lets RESTORE take payloads with wrong checksums (DEBUG SET-SKIP-CHECKSUM-VALIDATION).
	SkipChecksum atomic.Bool

	Tracking tracking.Table
	pause    pause
	monitors monitors
	http     httpGuard
}

// Options is what an Env is made of. Table and Clock must be set.
type Options struct {
	Table        *Table
	Clock        clock.Clock
	Config       *config.Config // the defaults if nil; its password and its users become those of the ACL
	Clients      Clients
	Log          *slog.Logger // nothing is logged if nil
	Databases    int          // 16 if 0
	ScriptMemory int64        // what one script may hold, in bytes; see luaeval.Limits
	Port         int          // that the server listens on
}

// NewEnv returns what the sessions of an empty server share. Close ends its goroutines and timers.
func NewEnv(o Options) *Env {
	if o.Config == nil {
		o.Config = o.Table.NewConfig()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	e := &Env{Table: o.Table, Store: store.New(o.Clock, cmp.Or(o.Databases, 16)), PubSub: new(pubsub.Registry),
		Clock:  o.Clock,
		Config: o.Config, Clients: o.Clients, Stats: new(stats.Stats), Scripts: luaeval.New(o.Log), Log: o.Log, RunID: newRunID(),
		Started: o.Clock.Now(), Port: o.Port}
	e.Scripts.SetLimits(luaeval.Limits{Memory: o.ScriptMemory})
	e.Store.SetThresholds(o.Config.Thresholds())
	e.Store.SetEventSink(e.notify)
	e.Store.SetChangeSink(e.invalidate)
	e.ACL = acl.NewUsers(o.Config.Template())
	e.ACL.SetPassword(o.Config.Password())
	e.ACL.Add(o.Config.Users())
	e.ApplyLimits()
	return e
}

// Close ends the goroutines and timers of e, once all sessions are closed.
func (e *Env) Close() {
	e.pause.end(e)
	e.Store.Close()
}

func newRunID() string {
	var id [20]byte
	_, _ = rand.Read(id[:]) // never fails: crypto/rand
	return hex.EncodeToString(id[:])
}

// Clients is the server's view of its connections. All methods are safe for concurrent use.
type Clients interface {
	// Each calls f with every connected session, oldest first.
	Each(f func(*Session))
	// TimeoutChanged tells that Config.Timeout may be another.
	TimeoutChanged()
	// Shutdown closes the server from within a command.
	Shutdown()
}
