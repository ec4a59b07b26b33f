package command

import (
	"log/slog"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

// Env is what all sessions of one server share.
type Env struct {
	Table   *Table
	Store   *store.Store
	PubSub  *pubsub.Registry
	Clock   clock.Clock
	Config  *Config
	Clients Clients
	Stats   *Stats
	Scripts *luaeval.Engine
	Log     *slog.Logger
	RunID   string // 40 hex digits, new at each start
	Started time.Time
	Port    int // 0 when there is no TCP listener

	pause    pause
	monitors monitors
	tracking tracking
	acl      acl
	http     httpGuard
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
