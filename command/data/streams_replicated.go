package data

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/store"
)

// propagateClaim sends XCLAIM, which makes an entry pending as it is here.
func propagateClaim(c *command.Call, key, group []byte, g *store.StreamGroup, p *store.PendingEntry) {
	c.PropagateAs("XCLAIM", key, group, []byte(p.Consumer().Name()), []byte("0"), p.ID().Append(nil),
		[]byte("TIME"), decimal(p.DeliveredAt), []byte("RETRYCOUNT"), decimal(p.DeliveryCount),
		[]byte("FORCE"), []byte("JUSTID"), []byte("LASTID"), g.LastID().Append(nil))
}

// propagateGroup sends XGROUP SETID: up to which entry a group has read.
func propagateGroup(c *command.Call, key, group []byte, g *store.StreamGroup) {
	c.PropagateAs("XGROUP", []byte("SETID"), key, group, g.LastID().Append(nil), []byte("ENTRIESREAD"),
		decimal(g.EntriesRead()))
}
