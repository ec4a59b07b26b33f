package cluster

import (
	"errors"
	"fmt"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

var (
	errEpochKnown = errors.New("ERR The user can assign a config epoch only when the node does not know any other node.")
	errEpochSet   = errors.New("ERR Node config epoch is already non-zero")
)

// bumpEpoch raises the epoch of the node, unless it is the highest: CLUSTER BUMPEPOCH.
func bumpEpoch(_ *command.Call, n *Node) resp.Value {
	done := "STILL"
	var epoch int64
	_ = n.bus.change(n, func(v *view) error {
		if v.bump() {
			done = "BUMPED"
		}
		epoch = v.self().epoch
		return nil
	})
	return resp.Status(fmt.Sprintf("%s %d", done, epoch))
}

// setConfigEpoch sets the epoch of a node that knows no other one: CLUSTER SET-CONFIG-EPOCH config-epoch.
func setConfigEpoch(c *command.Call, n *Node) resp.Value {
	epoch, err := c.Int(2)
	if err != nil {
		return c.Fail(err)
	}
	return c.OKOr(n.bus.change(n, func(v *view) error {
		switch {
		case epoch < 0:
			return words.Errorf("ERR Invalid config epoch specified: %d", epoch)
		case len(v.members) > 1:
			return errEpochKnown
		case v.self().epoch != 0:
			return errEpochSet
		}
		v.update(v.self(), func(m *member) { m.epoch = epoch })
		v.epoch = max(v.epoch, epoch)
		return nil
	}))
}
