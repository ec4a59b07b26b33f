package control

import (
	"sync/atomic"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
)

// A partition cuts a server off from its clients without closing a connection, as a network does that loses all
// packets. Calls are held before they run, so the connection reads no further, and nothing is sent. The commands of
// this package get through: a client whose last command was one of them gets what there is for it.

var partitionCommands = []command.Command{
	{Name: "fault.partition", Usage: "[server ...]", Arity: -1, Flags: faultFlags,
		Since: since,
		Summary: "Cuts the server off from its clients, but for the commands that control it; with names, servers of its " +
			"group from each other.", Run: faultPartition},
	{Name: "fault.heal", Arity: 1, Flags: faultFlags, Since: since,
		Summary: "Ends FAULT.PARTITION: what the clients have sent is served, and they get what waits for them.",
		Run:     faultHeal},
}

// Partition is whether a server is cut off from its clients. All methods are safe for concurrent use.
type Partition struct {
	env  *command.Env
	need func(on bool) // turns the hooks on or off

	healed atomic.Pointer[chan struct{}] // closed at the end of the partition; nil while there is none

	mu lockrank.Mutex[lockrank.Partition] // held while a partition begins or ends
}

// Begin cuts the server off. It does nothing if it is already.
func (p *Partition) Begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.healed.Load() != nil {
		return
	}
	healed := make(chan struct{})
	p.healed.Store(&healed)
	p.need(true)
	p.env.Clients.Partition(true)
	p.setSilent(true)
	p.env.Log.Info("fault", "fault", "PARTITION")
}

// End ends the partition: calls that were held run now.
func (p *Partition) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	healed := p.healed.Swap(nil)
	if healed == nil {
		return
	}
	p.need(false)
	p.env.Clients.Partition(false)
	p.setSilent(false)
	close(*healed)
	p.env.Log.Info("fault", "fault", "HEAL")
}

// setSilent tells the other servers of the network that this one answers nobody, or does so again.
func (p *Partition) setSilent(on bool) {
	if p.env.Member != nil {
		p.env.Network.SetSilent(p.env.Member, on)
	}
}

// hold returns what holds a call; nil without a partition.
func (p *Partition) hold() command.Hold {
	healed := p.healed.Load()
	if healed == nil {
		return nil
	}
	return until(*healed)
}

// faultPartition implements FAULT.PARTITION.
func faultPartition(c *command.Call) resp.Value {
	if c.Len() > 1 {
		return c.FailOr(separate(c), resp.OK)
	}
	hooksOf(c).Partition.Begin()
	return resp.OK
}

// faultHeal implements FAULT.HEAL. It is no error without a partition.
func faultHeal(c *command.Call) resp.Value {
	hooksOf(c).Partition.End()
	if group := c.Env().Network; group != nil {
		group.Heal()
	}
	return resp.OK
}
