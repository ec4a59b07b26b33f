package commandtest

import (
	"fmt"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/catalog"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
)

// NewEnv returns a server without connections, and its clock, which the test can advance. When the test ends, the
// clients are closed, and nothing of them may be left in the server.
func NewEnv(t testing.TB) (*command.Env, *clock.Offset) {
	t.Helper()
	return newEnv(t, "", clock.Real{})
}

// NewEnvOf is NewEnv for a server that stands for another one than the default (server.Options.Emulate).
func NewEnvOf(t testing.TB, server string) *command.Env {
	t.Helper()
	env, _ := newEnv(t, server, clock.Real{})
	return env
}

// NewEnvAt is NewEnv on top of another clock.
func NewEnvAt(t testing.TB, base clock.Clock) (*command.Env, *clock.Offset) {
	t.Helper()
	return newEnv(t, "", base)
}

func newEnv(t testing.TB, server string, base clock.Clock) (*command.Env, *clock.Offset) {
	t.Helper()
	c := clock.NewOffset(base)
	env := command.NewEnv(command.Options{Table: catalog.Table(emulate.Named(server)), Clock: c,
		Clients: new(FakeClients)})
	t.Cleanup(func() { closeEnv(t, env, c) })
	return env, c
}

// closeEnv closes the server of a test, whose clients are closed, and checks what is left.
func closeEnv(t testing.TB, env *command.Env, c *clock.Offset) {
	t.Helper()
	require.NoError(t, env.CheckNoClients())
	env.Close()
	require.Zero(t, c.PendingTimers(), "timers are left")
}

// FixedClock is a clock that stands still: none of its timers fires.
type FixedClock struct{ At time.Time }

// Now implements clock.Clock.
func (c FixedClock) Now() time.Time { return c.At }

// AfterFunc implements clock.Clock.
func (c FixedClock) AfterFunc(time.Duration, func()) clock.Timer { return deadTimer{} }

// deadTimer never fires.
type deadTimer struct{}

func (deadTimer) Reset(time.Duration) {}

func (deadTimer) Stop() {}

// FakeClients is a list of connections without a server.
type FakeClients struct {
	sessions    []*command.Session
	Shut        bool
	Partitioned bool
}

// Each implements command.Clients.
func (f *FakeClients) Each(visit func(*command.Session)) {
	for _, s := range f.sessions {
		visit(s)
	}
}

// TimeoutChanged implements command.Clients.
func (f *FakeClients) TimeoutChanged() {}

// Shutdown implements command.Clients.
func (f *FakeClients) Shutdown() { f.Shut = true }

// Partition implements command.Clients.
func (f *FakeClients) Partition(on bool) { f.Partitioned = on }

// Restart implements command.Clients. It closes no connection.
func (f *FakeClients) Restart(_ *command.Session, change func()) { change() }

// Connect returns n clients with the IDs 1 to n and addresses that end in these.
func Connect(t *testing.T, env *command.Env, n int) []*Client {
	clients, list := make([]*Client, n), new(FakeClients)
	for i := range clients {
		c := newClient(t, env, int64(i+1), fmt.Sprintf("127.0.0.1:5000%d", i+1), "127.0.0.1:6379")
		clients[i], list.sessions = c, append(list.sessions, c.Session)
	}
	env.Clients = list
	return clients
}
