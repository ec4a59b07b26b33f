package cluster

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/hashtag"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

var (
	errSlot          = errors.New("ERR Invalid or out of range slot")
	errSetSlot       = errors.New("ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP")
	errSetSlotMaster = errors.New("ERR Please use SETSLOT only with masters.")
	errTargetReplica = errors.New("ERR Target node is not a master")
	errDirty         = errors.New("ERR DB must be empty to perform CLUSTER FLUSHSLOTS.")
)

// slotArg parses argument i as a slot.
func slotArg(c *command.Call, i int) (int, error) {
	slot, err := c.Int(i)
	if err != nil || slot < 0 || slot >= hashtag.Slots {
		return 0, errSlot
	}
	return int(slot), nil
}

// slotsOf returns the slots that the arguments from 2 on name: single ones, or pairs of a first and a last one.
func slotsOf(c *command.Call, ranges bool) (slots []int, err error) {
	if !ranges {
		for i := 2; i < c.Len(); i++ {
			slot, err := slotArg(c, i)
			if err != nil {
				return nil, err
			}
			slots = append(slots, slot)
		}
		return slots, nil
	}
	if c.Len()%2 == 1 {
		return nil, command.ErrArity(c.Cmd)
	}
	for i := 2; i < c.Len(); i += 2 {
		first, err := slotArg(c, i)
		if err != nil {
			return nil, err
		}
		last, err := slotArg(c, i+1)
		if err != nil {
			return nil, err
		}
		if first > last {
			return nil, words.Errorf("ERR start slot number %d is greater than end slot number %d", first, last)
		}
		for slot := first; slot <= last; slot++ {
			slots = append(slots, slot)
		}
	}
	return slots, nil
}

// addSlots gives the node slots: CLUSTER ADDSLOTS slot [slot ...].
func addSlots(c *command.Call, n *Node) resp.Value { return setOwner(c, n, false, true) }

// addSlotsRange is CLUSTER ADDSLOTSRANGE start-slot end-slot [start-slot end-slot ...].
func addSlotsRange(c *command.Call, n *Node) resp.Value { return setOwner(c, n, true, true) }

// delSlots takes slots from the node: CLUSTER DELSLOTS slot [slot ...].
func delSlots(c *command.Call, n *Node) resp.Value { return setOwner(c, n, false, false) }

// delSlotsRange is CLUSTER DELSLOTSRANGE start-slot end-slot [start-slot end-slot ...].
func delSlotsRange(c *command.Call, n *Node) resp.Value { return setOwner(c, n, true, false) }

func setOwner(c *command.Call, n *Node, ranges, add bool) resp.Value {
	slots, err := slotsOf(c, ranges)
	if err != nil {
		return c.Fail(err)
	}
	return c.OKOr(n.bus.change(n, func(v *view) error {
		var owner *member
		if add {
			owner = v.self()
		}
		seen := make(map[int]bool)
		for _, slot := range slots {
			switch assigned := v.owners[slot] != 0; {
			case seen[slot]:
				return words.Errorf("ERR Slot %d specified multiple times", slot)
			case add && assigned:
				return words.Errorf("ERR Slot %d is already busy", slot)
			case !add && !assigned:
				return words.Errorf("ERR Slot %d is already unassigned", slot)
			}
			seen[slot] = true
		}
		for slot := range seen {
			v.setMove(slot, move{to: v.moving[slot].to})
			v.assign(slot, owner)
		}
		return nil
	}))
}

// flushSlots takes all slots from a node without keys: CLUSTER FLUSHSLOTS.
func flushSlots(c *command.Call, n *Node) resp.Value {
	if c.Tx.Size(0) > 0 {
		return c.Fail(errDirty)
	}
	return c.OKOr(n.bus.change(n, func(v *view) error {
		v.owners, v.ownTable = new(table), true
		return nil
	}))
}

// setSlot says to which node a slot belongs, or that it moves: CLUSTER SETSLOT slot MIGRATING node-id | IMPORTING
// node-id | STABLE | NODE node-id.
func setSlot(c *command.Call, n *Node) resp.Value {
	if n.Master() != "" {
		return c.Fail(errSetSlotMaster)
	}
	slot, err := slotArg(c, 2)
	if err != nil {
		return c.Fail(err)
	}
	return c.OKOr(n.bus.change(n, func(v *view) error {
		switch {
		case c.Is(3, "migrating") && c.Len() == 5:
			return v.migrate(slot, string(c.Arg(4)))
		case c.Is(3, "importing") && c.Len() == 5:
			return v.importFrom(slot, string(c.Arg(4)))
		case c.Is(3, "stable") && c.Len() == 4:
			v.setMove(slot, move{})
			return nil
		case c.Is(3, "node") && c.Len() == 5:
			return v.give(slot, string(c.Arg(4)), func() int { return len(keysInSlot(c.Tx, slot, 1)) })
		}
		return errSetSlot
	}))
}

// target returns the node that SETSLOT names. unknown is the format of the error for one that does not exist.
func (v *view) target(id, unknown string) (*member, error) {
	m := v.byID(id)
	switch {
	case m == nil:
		return nil, words.Errorf(unknown, id)
	case m.master != "":
		return nil, errTargetReplica
	}
	return m, nil
}

// migrate notes that a slot of the node moves to another one.
func (v *view) migrate(slot int, id string) error {
	if v.owner(slot) != v.self() {
		return words.Errorf("ERR I'm not the owner of hash slot %d", slot)
	}
	if _, err := v.target(id, "ERR I don't know about node %s"); err != nil {
		return err
	}
	v.setMove(slot, move{to: id, from: v.moving[slot].from})
	return nil
}

// importFrom notes that a slot of another node moves to this one.
func (v *view) importFrom(slot int, id string) error {
	if v.owner(slot) == v.self() {
		return words.Errorf("ERR I'm already the owner of hash slot %d", slot)
	}
	if _, err := v.target(id, "ERR I don't know about node %s"); err != nil {
		return err
	}
	v.setMove(slot, move{from: id, to: v.moving[slot].to})
	return nil
}

// give gives a slot to a node. A node that takes a slot which it imports gets a new epoch, so that the others agree.
func (v *view) give(slot int, id string, keys func() int) error {
	m, err := v.target(id, "ERR Unknown node %s")
	if err != nil {
		return err
	}
	self := v.self()
	mine := v.owner(slot) == self
	if mine && m != self && keys() > 0 {
		return words.Errorf("ERR Can't assign hashslot %d to a different node while I still hold keys for this hash slot.",
			slot)
	}
	moving := v.moving[slot]
	if m != self {
		moving.to = ""
	} else if moving.from != "" {
		moving.from = ""
		v.bump()
	}
	v.setMove(slot, moving)
	v.assign(slot, v.byID(id))
	if mine && m != self && v.size(v.self()) == 0 {
		v.follow(v.byID(id))
	}
	return nil
}

// bump gives the node an epoch of its own, higher than all that it knows of, unless it has that. It reports whether it
// did.
func (v *view) bump() bool {
	highest, self := v.maxEpoch(), v.self()
	if self.epoch != 0 && self.epoch == highest {
		return false
	}
	v.epoch = highest + 1
	v.update(self, func(m *member) { m.epoch = v.epoch })
	return true
}
