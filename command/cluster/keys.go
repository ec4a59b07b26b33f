package cluster

import (
	"errors"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/hashtag"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// countKeysInSlot counts the keys of a slot: CLUSTER COUNTKEYSINSLOT slot.
func countKeysInSlot(c *command.Call, _ *Node) resp.Value {
	slot, err := c.Int(2)
	switch {
	case err != nil:
		return c.Fail(err)
	case slot < 0 || slot >= hashtag.Slots:
		return resp.Error("ERR Invalid slot")
	}
	return resp.Int(int64(len(keysInSlot(c.Tx, int(slot), -1))))
}

var errSlotOrCount = errors.New("ERR Invalid slot or number of keys")

// getKeysInSlot lists keys of a slot: CLUSTER GETKEYSINSLOT slot count.
func getKeysInSlot(c *command.Call, _ *Node) resp.Value {
	slot, err := c.Int(2)
	if err != nil {
		return c.Fail(err)
	}
	count, err := c.Int(3)
	switch {
	case err != nil:
		return c.Fail(err)
	case slot < 0 || slot >= hashtag.Slots || count < 0:
		return c.Fail(errSlotOrCount)
	}
	return resp.Strings(keysInSlot(c.Tx, int(slot), command.ToInt(count)))
}

// keysInSlot returns keys of a slot, at most limit unless that is negative.
func keysInSlot(tx *store.Tx, slot, limit int) []string {
	keys := []string{}
	if limit == 0 {
		return keys
	}
	tx.In(0, func() {
		tx.Each(func(key []byte, _ store.Entry) bool {
			if hashtag.Slot(key) == slot {
				keys = append(keys, string(key))
			}
			return limit < 0 || len(keys) < limit
		})
	})
	return keys
}

// flushSlot removes all keys of a slot of the node: CLUSTER FLUSHSLOT slot [ASYNC | SYNC].
func flushSlot(c *command.Call, n *Node) resp.Value {
	slot, err := slotArg(c, 2)
	switch {
	case err != nil:
		return c.Fail(err)
	case c.Len() > 4 || c.Len() == 4 && !c.Is(3, "async") && !c.Is(3, "sync"):
		return c.Fail(command.ErrSyntax)
	}
	n.deleteIn(c.Tx, []int{slot})
	return resp.OK
}

// deleteSlots removes the keys of slots that the node has lost.
func (n *Node) deleteSlots(slots []int) {
	n.env.Store.Exclusively(func(tx *store.Tx) { n.deleteIn(tx, slots) })
}

func (n *Node) deleteIn(tx *store.Tx, slots []int) {
	var keys [][]byte
	tx.Each(func(key []byte, _ store.Entry) bool {
		if slices.Contains(slots, hashtag.Slot(key)) {
			keys = append(keys, key)
		}
		return true
	})
	for _, key := range keys {
		if tx.Delete(key) {
			tx.Report(key, store.Change{Class: store.EventGeneric, Event: "del", Count: 1})
		}
	}
}
