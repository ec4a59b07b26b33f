package cluster

import (
	"errors"
	"net"
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

var (
	errForgetSelf    = errors.New("ERR I tried hard but I can't forget myself...")
	errForgetMaster  = errors.New("ERR Can't forget my master!")
	errReplicateSelf = errors.New("ERR Can't replicate myself")
	errOnlyMaster    = errors.New("ERR I can only replicate a master, not a replica.")
	errNotEmpty      = errors.New("ERR To set a master the node must be empty and without assigned slots.")
	errResetWithKeys = errors.New("ERR CLUSTER RESET can't be called with master nodes containing keys")
	forgottenFor     = int64(60_000) // ms
)

// errWords is the error of subcommands with a wrong number of arguments that the arity allows.
func errWords(c *command.Call) error {
	return words.Errorf("ERR unknown subcommand or wrong number of arguments for '%s'. Try CLUSTER HELP.",
		string(c.Arg(1)))
}

// meet makes another node of the process known: CLUSTER MEET ip port [cluster-bus-port]. The reply is OK even if there
// is none.
func meet(c *command.Call, n *Node) resp.Value {
	host, port := string(c.Arg(2)), int64(0)
	port, err := c.Int(3)
	if err != nil {
		return c.Fail(words.Errorf("ERR Invalid TCP base port specified: %s", string(c.Arg(3))))
	}
	if c.Len() == 5 {
		if _, err := c.Int(4); err != nil {
			return c.Fail(words.Errorf("ERR Invalid TCP bus port specified: %s", string(c.Arg(4))))
		}
	}
	if c.Len() > 5 {
		return c.Fail(errWords(c))
	}
	if net.ParseIP(host) == nil || port <= 0 || port > 65535 {
		return c.Fail(words.Errorf("ERR Invalid node address specified: %s:%s", host, string(c.Arg(3))))
	}
	other := n.bus.at(host, strconv.FormatInt(port, 10))
	if other == nil {
		n.env.Log.Warn("no node of this process listens there: a cluster has no others", "host", host, "port", port)
		return resp.OK
	}
	n.bus.meet(n, other)
	return resp.OK
}

// meet makes two nodes known to each other.
func (b *Bus) meet(n, other *Node) {
	var changes changes
	b.mu.Lock()
	defer func() {
		b.mu.Unlock()
		changes.follow()
	}()
	if n == other || !b.reach(n, other) {
		return
	}
	for _, pair := range [][2]*Node{{n, other}, {other, n}} {
		v := pair[0].view.Load().clone()
		self := pair[1].view.Load().self()
		delete(v.forgotten, self.id)
		if v.byID(self.id) == nil {
			v.members = append(v.members, self)
			changes.store(pair[0], v)
		}
	}
	b.spread(&changes, n, other)
}

// forget removes a node from those that this one knows, for a minute even if others name it: CLUSTER FORGET node-id.
func forget(c *command.Call, n *Node) resp.Value {
	return c.OKOr(n.bus.change(n, func(v *view) error {
		m, err := memberOf(c, v)
		switch {
		case err != nil:
			return err
		case m == v.self():
			return errForgetSelf
		case v.self().master == m.id:
			return errForgetMaster
		}
		v.forget(m, n.now()+forgottenFor)
		return nil
	}))
}

func (v *view) forget(m *member, until int64) {
	v.remove(m)
	if v.forgotten == nil {
		v.forgotten = make(map[string]int64)
	}
	v.forgotten[m.id] = until
}

// replicate makes the node a replica of another one: CLUSTER REPLICATE node-id.
func replicate(c *command.Call, n *Node) resp.Value {
	if c.Len() != 3 {
		return c.Fail(errWords(c))
	}
	err := n.bus.change(n, func(v *view) error {
		m, err := memberOf(c, v)
		self := v.self()
		switch {
		case err != nil:
			return err
		case m == self:
			return errReplicateSelf
		case m.master != "":
			return errOnlyMaster
		case self.master == "" && (v.size(self) > 0 || c.Tx.Size(0) > 0):
			return errNotEmpty
		}
		v.follow(m)
		return nil
	})
	if err != nil {
		return c.Fail(err)
	}
	n.settle(c.Tx)
	return resp.OK
}

// reset makes the node know no other one, and have no slots; HARD gives it a new ID as well: CLUSTER RESET [HARD |
// SOFT].
func reset(c *command.Call, n *Node) resp.Value {
	hard := c.Len() == 3 && c.Is(2, "hard")
	switch {
	case c.Len() > 3:
		return c.Fail(errWords(c))
	case c.Len() == 3 && !hard && !c.Is(2, "soft"):
		return c.Fail(command.ErrSyntax)
	case n.Master() == "" && c.Tx.Size(0) > 0:
		return c.Fail(errResetWithKeys)
	}
	was := n.Master()
	_ = n.bus.change(n, func(v *view) error {
		self := *v.self()
		self.master = ""
		if hard {
			self.id, self.epoch, v.epoch = command.NewID(), 0, 0
		}
		v.members, v.moving, v.forgotten = []*member{&self}, nil, nil
		v.owners, v.ownTable = new(table), true
		return nil
	})
	if was != "" {
		n.settle(c.Tx)
		c.Tx.Flush(0)
		c.Env().AnyChanged(c.Tx)
	}
	return resp.OK
}
