package command

// Env is the state of one server, shared by its sessions: a struct of parts that are each safe for concurrent use, so
// Env itself has no lock. NewEnv is the only constructor, also for tests and benchmarks, and connects the parts: the
// store sends its events to Pub/Sub and its changes to client tracking, and takes its thresholds and memory limits from
// the configuration.
//
// Several servers may run in one process. So nothing here is global.

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/network"
	"github.com/minilockd/minilockd/internal/stats"
	"github.com/minilockd/minilockd/internal/tracking"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

// Env is what all sessions of one server share. Its exported fields do not change once the first session exists.
type Env struct {
	Table   *Table
	Store   *store.Store
	PubSub  *pubsub.Registry
	Clock   clock.Adjustable
	Config  *config.Config
	ACL     *acl.Users
	Clients Clients
	Stats   *stats.Stats
	Scripts *luaeval.Engine
	Log     *slog.Logger
	Port    int // 0 without a TCP listener
	TLSPort int // as Port

	// SkipChecksum makes RESTORE accept payloads with wrong checksums (DEBUG SET-SKIP-CHECKSUM-VALIDATION).
	SkipChecksum atomic.Bool
	// NoScriptIgnored lets scripts call commands with the flag NoScript (DEBUG SET-DISABLE-DENY-SCRIPTS).
	NoScriptIgnored atomic.Bool

	Hooks Hooks // that the Table makes for each server
	hooks hookSwitch

	Replication Replication      // that the Table makes for each server
	Persistence Persistence      // the same
	Cluster     Cluster          // nil if the server is in none
	Sentinel    Sentinel         // nil for other servers
	Network     *network.Network // the servers of this process that know each other; nil for one by itself
	Member      *network.Member  // this server in Network
	NextID      func() int64     // for sessions
	roles       roleSwitch
	lastID      atomic.Int64 // see NextID

	process  atomic.Pointer[process]
	Tracking tracking.Table
	pause    pause
	monitors monitors
	http     httpGuard

	stopped    chan struct{}
	background sync.WaitGroup // the goroutines of Call.Background
}

// Options are the parts of an Env that its caller chooses. Table and Clock must be set.
type Options struct {
	Table        *Table
	Clock        clock.Adjustable
	Config       *config.Config // the defaults if nil; its requirepass and users become those of the ACL
	Clients      Clients
	Log          *slog.Logger // nil discards
	Databases    int          // 16 if 0
	ScriptMemory int64        // limit for one script in bytes; see luaeval.Limits
	Port         int          // of the TCP listener, for INFO
	TLSPort      int          // of that for TLS
	Network      *network.Network
	Member       *network.Member // nil without Network
	NextID       func() int64    // counts from 1 if nil
	// Cluster makes the server a node of a cluster; nil for none.
	Cluster func(*Env) Cluster
}

// NewEnv returns the state of an empty server. Close ends its goroutines and timers.
func NewEnv(o Options) *Env {
	if o.Config == nil {
		o.Config = o.Table.NewConfig()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	e := &Env{Table: o.Table, Store: store.New(o.Clock, cmp.Or(o.Databases, 16)), PubSub: new(pubsub.Registry),
		Clock:  o.Clock,
		Config: o.Config, Clients: o.Clients, Stats: new(stats.Stats), Log: o.Log,
		Scripts: luaeval.New(o.Table.Server, o.Log),
		Port:    o.Port, TLSPort: o.TLSPort, Network: o.Network, Member: o.Member, NextID: o.NextID,
		stopped: make(chan struct{})}
	if e.NextID == nil {
		e.NextID = func() int64 { return e.lastID.Add(1) }
	}
	if e.Member != nil {
		e.Member.Data = e
	}
	e.Restarted()
	if o.Table.newHooks != nil {
		e.Hooks = o.Table.newHooks(e)
	}
	if o.Table.newReplication != nil {
		e.Replication = o.Table.newReplication(e)
	}
	if o.Table.newPersistence != nil {
		e.Persistence = o.Table.newPersistence(e)
	}
	if o.Cluster != nil {
		e.Cluster = o.Cluster(e)
	}
	if o.Table.newSentinel != nil {
		e.Sentinel = o.Table.newSentinel(e)
	}
	e.Scripts.SetLimits(luaeval.Limits{Memory: o.ScriptMemory})
	e.Store.SetThresholds(o.Config.Thresholds())
	e.Store.SetGoneForGroups(o.Table.Server.Does(emulate.GoneWakesGroups))
	if o.Table.Server.Does(emulate.TellsOverwritten) {
		e.Store.SetOverwriteEvents(e.wantsOverwritten)
	}
	e.Store.SetEventSink(e.notify)
	e.Store.SetChangeSink(e.invalidate)
	e.Store.SetRemovalSink(e.propagateRemoval)
	e.ACL = o.Config.StartUsers()
	e.ApplyLimits()
	return e
}

// Stop ends what may run long: scripts and DEBUG SLEEP. It does not wait, and is called once, before the sessions are
// closed.
func (e *Env) Stop() {
	e.Scripts.Stop()
	close(e.stopped)
}

// Stopped returns a channel that is closed when the server begins to close.
func (e *Env) Stopped() <-chan struct{} { return e.stopped }

// Close ends the goroutines and timers of e, once all sessions are closed.
func (e *Env) Close() {
	if e.Cluster != nil {
		e.Cluster.Close()
	}
	if e.Sentinel != nil {
		e.Sentinel.Close()
	}
	if e.Replication != nil {
		e.Replication.Close()
	}
	if e.Persistence != nil {
		e.Persistence.Close()
	}
	e.background.Wait()
	e.pause.end(e)
	e.Store.Close()
	if e.Hooks != nil {
		e.Hooks.Close()
	}
}

// process is what INFO shows of the process of the server.
type process struct {
	runID   string
	started time.Time
}

// Restarted makes INFO show that the process of the server has just been started. It is safe for concurrent use.
func (e *Env) Restarted() { e.process.Store(&process{NewID(), e.Clock.Now()}) }

// RunID returns 40 hexadecimal digits, which are random for each process. It is safe for concurrent use.
func (e *Env) RunID() string { return e.process.Load().runID }

// Identity is what the server calls itself.
func (e *Env) Identity() emulate.Identity { return e.Table.Server.Identity(e.Config.PosesAsRedis()) }

// Started returns when the process was started. It is safe for concurrent use.
func (e *Env) Started() time.Time { return e.process.Load().started }

// NewID returns 40 random hexadecimal digits, as the IDs of processes, of nodes and of histories have.
func NewID() string {
	var id [20]byte
	_, _ = rand.Read(id[:]) // crypto/rand never returns an error
	return hex.EncodeToString(id[:])
}

// Clients is the server's view of its connections. All methods are safe for concurrent use.
type Clients interface {
	// Each calls f with every connected session, oldest first.
	Each(f func(*Session))
	// TimeoutChanged makes the server read Config.Timeout again.
	TimeoutChanged()
	// Shutdown closes the server. It returns before the server is closed, so that a command may call it.
	Shutdown()
	// Partition stops all output to the clients, or lets it go on, except that a client whose last command has the flag
	// Control gets its replies. What is read and served does not change.
	Partition(on bool)
	// Restart closes all connections but that of caller, which may be nil, and waits until their sessions are closed; then
	// it calls change. New connections wait until it returns. No command may wait for it in the goroutine of its
	// connection.
	Restart(caller *Session, change func())
}
