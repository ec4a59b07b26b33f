package cluster

import (
	"fmt"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/hashtag"
	"github.com/minilockd/minilockd/luaeval"
	"github.com/minilockd/minilockd/store"
)

// The errors of calls that no node serves.
const (
	errCrossSlot = command.RedirectError("CROSSSLOT Keys in request don't hash to the same slot")
	errTryAgain  = command.RedirectError("TRYAGAIN Multiple keys request during rehashing of slot")
	errDown      = command.RedirectError("CLUSTERDOWN The cluster is down")
	errReadOnly  = command.RedirectError("CLUSTERDOWN The cluster is down and only accepts read commands")
	errUnbound   = command.RedirectError("CLUSTERDOWN Hash slot not served")
)

// request is what decides where a call belongs.
type request struct {
	session *command.Session
	cmd     *command.Command
	tx      *store.Tx // that holds the shards of the keys; nil before there is one
	view    *view

	slot     int // -1 without a key
	first    []byte
	owner    *member
	move     move
	sharded  bool // the keys are shard channels
	several  bool // different keys
	missing  bool // a key of a slot that moves is not here
	existing bool // one is
	err      error
}

// Redirect implements command.Cluster.
func (n *Node) Redirect(s *command.Session, cmd *command.Command, args [][]byte) error {
	r := request{session: s, cmd: cmd, view: n.view.Load(), slot: -1}
	if !n.collect(&r, args) {
		return nil
	}
	if r.err == nil && r.move != (move{}) && !r.sharded {
		if !s.Queues(cmd) {
			return nil // RedirectHeld decides
		}
		s.InShards(cmd, args, func(tx *store.Tx) {
			r = request{session: s, cmd: cmd, tx: tx, view: r.view, slot: -1}
			n.collect(&r, args)
		})
	}
	return n.decide(&r, args)
}

// RedirectHeld implements command.Cluster.
func (n *Node) RedirectHeld(c *command.Call) error {
	r := request{session: c.Session, cmd: c.Cmd, tx: c.Tx, view: n.view.Load(), slot: -1}
	if !n.collect(&r, c.Args) {
		return nil
	}
	return n.decide(&r, c.Args)
}

// collect looks at the keys of a call, and at those of the queued calls for EXEC. It returns false if there are none.
func (n *Node) collect(r *request, args [][]byte) bool {
	if r.cmd.Flags.Has(command.RunsQueued) {
		r.session.EachQueued(func(cmd *command.Command, args [][]byte) { n.collectFrom(r, cmd, args) })
	} else {
		n.collectFrom(r, r.cmd, args)
	}
	return r.slot >= 0
}

func (n *Node) collectFrom(r *request, cmd *command.Command, args [][]byte) {
	switch {
	case cmd.MayHaveKeys():
		cmd.EachKey(args, r.add)
	case slices.Contains(n.sharded[:], cmd):
		r.sharded = true
		channels := args[1:]
		if cmd.Name == "spublish" {
			channels = args[1:2]
		}
		for _, channel := range channels {
			r.add(channel)
		}
	}
}

// add looks at a key.
func (r *request) add(key []byte) {
	if r.err != nil {
		return
	}
	slot := hashtag.Slot(key)
	switch {
	case r.slot < 0:
		r.slot, r.first, r.owner = slot, key, r.view.owner(slot)
		if r.move = r.view.moving[slot]; r.move.to != "" && r.owner != r.view.self() {
			r.move.to = ""
		}
		if r.owner == nil {
			r.err = errUnbound
			return
		}
	case slot != r.slot:
		r.err = errCrossSlot
		return
	case string(key) != string(r.first):
		r.several = true
	}
	if r.move != (move{}) && r.tx != nil && !r.sharded {
		if r.tx.Holds(key) && r.tx.Lookup(key, store.NoStats|store.NoTouch).Exists() {
			r.existing = true
		} else {
			r.missing = true
		}
	}
}

// decide returns the error for a request with keys.
func (n *Node) decide(r *request, args [][]byte) error {
	if r.err != nil {
		return r.err
	}
	flags := r.cmd.Flags
	if r.session != nil {
		flags = r.session.CallFlags(r.cmd, args)
	}
	return n.decideBy(r, flags)
}

func (n *Node) decideBy(r *request, flags command.Flags) error {
	self := r.view.self()
	if err := n.down(r, flags); err != nil {
		return err
	}
	switch moves := r.move != (move{}); {
	case moves && r.cmd == n.asksKeys:
		return nil
	case r.move.to != "" && r.missing && r.existing:
		return errTryAgain
	case r.move.to != "" && r.missing:
		return n.redirection("ASK", r.slot, r.view.byID(r.move.to))
	case r.move.from != "" && (r.session.Asking() || flags.Has(command.Asking)):
		if r.several && r.missing {
			return errTryAgain
		}
		return nil
	case r.owner == self:
		return nil
	case (r.session.ReadOnly() || r.sharded) && self.master == r.owner.id && !flags.Has(command.Write):
		return nil
	}
	return n.redirection("MOVED", r.slot, r.owner)
}

// down returns the error for a request while the cluster is down.
func (n *Node) down(r *request, flags command.Flags) error {
	if n.ok(r.view) {
		return nil
	}
	allowed := func(parameter string) bool { return n.env.Config.Get(parameter) == "yes" }
	switch {
	case r.sharded && allowed("cluster-allow-pubsubshard-when-down"):
		return nil
	case r.sharded || !allowed("cluster-allow-reads-when-down"):
		return errDown
	case flags.Has(command.Write):
		return errReadOnly
	}
	return nil
}

// ok reports whether the state of the cluster is ok to the node.
func (n *Node) ok(v *view) bool {
	if v.assigned == hashtag.Slots && v.failed == 0 {
		return true
	}
	if n.env.Config.Get("cluster-require-full-coverage") == "yes" {
		return false
	}
	masters, reachable := 0, 0
	for _, m := range v.members {
		if m.master == "" && v.size(m) > 0 {
			masters++
			if !m.failed {
				reachable++
			}
		}
	}
	return masters > 0 && reachable > masters/2
}

// redirection is the error that sends the client to another node.
func (n *Node) redirection(code string, slot int, to *member) error {
	if to == nil {
		return errUnbound
	}
	host, port := n.endpoint(to)
	return command.RedirectError(fmt.Sprintf("%s %d %s:%d", code, slot, host, port))
}

// endpoint returns where clients find a node, as cluster-preferred-endpoint-type says.
func (n *Node) endpoint(m *member) (host string, port int) {
	host, port = m.place()
	switch n.env.Config.Get("cluster-preferred-endpoint-type") {
	case "hostname":
		if host = m.env.Config.Get("cluster-announce-hostname"); host == "" {
			host = "?"
		}
	case "unknown-endpoint":
		host = ""
	}
	return host, port
}

// RedirectScript implements command.Cluster.
func (n *Node) RedirectScript(outer, inner *command.Call) error {
	if outer.Session.FromMaster() {
		return nil
	}
	r := request{session: outer.Session, cmd: inner.Cmd, tx: outer.Tx, view: n.view.Load(), slot: -1}
	if !n.collect(&r, inner.Args) {
		return nil
	}
	err := r.err
	if err == nil {
		err = n.decideBy(&r, inner.Cmd.Flags)
	}
	if err != nil {
		return scriptError(err, inner)
	}
	flags := outer.ScriptFlags()
	if flags.Has(luaeval.Declared) && !flags.Has(luaeval.AllowCrossSlotKeys) && !outer.JoinsSlot(r.slot) {
		return errScriptCrossSlot
	}
	return nil
}

const errScriptCrossSlot = command.RedirectError(
	"ERR Script attempted to access keys that do not hash to the same slot")

// scriptError is the error for a command of a script in place of that for a client.
func scriptError(err error, c *command.Call) error {
	text := "ERR Script attempted to access a non local key in a cluster node"
	told := c.Does(emulate.ScriptSlotErrors)
	switch {
	case err == errReadOnly:
		text = "ERR Script attempted to execute a write command while the cluster is down and readonly"
	case err == errDown:
		text = "ERR Script attempted to execute a command while the cluster is down"
	case err == errCrossSlot && told:
		text = "ERR Command '" + c.Cmd.FullName() + "' in script attempted to access keys that don't hash to the same slot"
	case err == errTryAgain && told:
		text = "ERR Unable to execute command '" + c.Cmd.FullName() + "' in script because undeclared keys were accessed " +
			"during rehashing of the slot"
	case err == errUnbound && told:
		text = "ERR Script attempted to access a slot not served"
	case c.Does(emulate.NamelessSlotErrors):
		text = "ERR Attempted to access a non local key in a cluster node"
	}
	return command.RedirectError(text)
}

// RedirectBlocked implements command.Cluster.
func (n *Node) RedirectBlocked(s *command.Session) {
	cmd, keys := s.BlockedKeys()
	v := n.view.Load()
	self := v.self()
	for _, key := range keys {
		slot := hashtag.Slot(key)
		owner := v.owner(slot)
		switch {
		case !n.ok(v):
			s.EndBlocked(errDown)
		case owner == nil:
			s.EndBlocked(errUnbound)
		case owner == self || v.moving[slot].from != "":
			continue
		case self.master == owner.id && s.ReadOnly() && !cmd.Flags.Has(command.Write):
			continue
		default:
			s.EndBlocked(n.redirection("MOVED", slot, owner))
		}
		return
	}
}
