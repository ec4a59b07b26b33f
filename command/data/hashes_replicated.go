package data

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/store"
)

// What the replicas get of the commands that change the expiry of fields, or fields that have one. Redis and Valkey
// differ in which fields they send: emulate.ReplicatesFields.

// propagate sends HPEXPIREAT with the condition of the call, or the deletion of the fields whose expiry was set.
func (o *expireFieldsOptions) propagate(c *command.Call, unit expiryUnit, done [][]byte) {
	if passed(c, o.when) {
		propagateFieldsGone(c, done)
		return
	}
	if !c.Does(emulate.ReplicatesFields) {
		if unit == unixMilliseconds {
			return
		}
		done = o.fields
	}
	propagateFieldExpiry(c, o.when, c.Args[3:c.Len()-len(o.fields)-2], done)
}

// propagateFieldExpiry sends HPEXPIREAT for fields of the hash of argument 1.
func propagateFieldExpiry(c *command.Call, when int64, options, fields [][]byte) {
	args := append([][]byte{c.Key(1), decimal(when)}, options...)
	c.PropagateAs("HPEXPIREAT", withFields(args, fields)...)
}

// withFields appends FIELDS, their number and the fields.
func withFields(args, fields [][]byte) [][]byte {
	return append(append(args, []byte("FIELDS"), decimal(int64(len(fields)))), fields...)
}

// propagateFieldsGone sends the deletion of fields of the hash of argument 1.
func propagateFieldsGone(c *command.Call, fields [][]byte) {
	if !c.Does(emulate.ReplicatesFields) {
		c.PropagateAs("HDEL", append([][]byte{c.Key(1)}, fields...)...)
		return
	}
	for _, field := range fields {
		c.PropagateAs("HDEL", c.Key(1), field)
	}
}

// propagate sends HPEXPIREAT, HPERSIST or HDEL.
func (o *getExOptions) propagate(c *command.Call, done [][]byte) {
	fields := done
	if c.Does(emulate.ReplicatesFields) {
		fields = o.fields
	}
	switch {
	case o.persist:
		c.PropagateAs("HPERSIST", withFields([][]byte{c.Key(1)}, fields)...)
	case passed(c, o.when):
		propagateFieldsGone(c, done)
	default:
		propagateFieldExpiry(c, o.when, nil, fields)
	}
}

// propagate sends HSETEX with an absolute expiry, or the deletion of the fields if it has passed. It is called before
// they are set.
func (o *setExOptions) propagate(c *command.Call, h *store.Hash) {
	all := c.Does(emulate.ReplicatesFields)
	switch {
	case o.expires && passed(c, o.when):
		o.propagateGone(c, h, all)
	case !all:
		o.propagateFields(c)
	case o.expires:
		propagateExpiryOption(c, o.at, o.when)
	}
}

// propagateFields sends HSETEX without its conditions.
func (o *setExOptions) propagateFields(c *command.Call) {
	args := [][]byte{c.Key(1)}
	switch {
	case o.expires:
		args = append(args, []byte("PXAT"), decimal(o.when))
	case o.keepTTL:
		args = append(args, []byte("KEEPTTL"))
	}
	args = append(args, []byte("FIELDS"), decimal(int64(len(o.pairs)/2)))
	c.PropagateAs("HSETEX", append(args, o.pairs...)...)
}

// propagateGone sends the deletion of all fields, or of those that the hash has.
func (o *setExOptions) propagateGone(c *command.Call, h *store.Hash, all bool) {
	var gone [][]byte
	for _, field := range fieldsOf(o.pairs) {
		if _, ok := h.Get(field); ok || all {
			gone = append(gone, field)
		}
	}
	if c.Propagate(); len(gone) > 0 {
		propagateFieldsGone(c, gone)
	}
}

// expiresFields reports whether the replicas must not get calls that depend on whether a field of the hash is there:
// fields of it expire, and may be gone at another time on a replica.
func expiresFields(c *command.Call, key []byte) bool {
	if !c.Propagates() || !c.Does(emulate.ReplicatesHSetOfNew) {
		return false
	}
	h, err := store.Get[*store.Hash](c.Tx, key, store.NoStats)
	return err == nil && h != nil && h.Expires()
}

// propagateField sends the new value of a field of the hash of argument 1. Its expiry stays.
func propagateField(c *command.Call, h *store.Hash, field, value []byte) {
	when, expires := h.ExpireAt(field)
	switch {
	case c.Does(emulate.ReplicatesHSetEx):
		c.PropagateAs("HSETEX", c.Key(1), []byte("KEEPTTL"), []byte("FIELDS"), []byte("1"), field, value)
	case expires && !c.Does(emulate.ReplicatesFields):
		c.PropagateAs("HSETEX", c.Key(1), []byte("PXAT"), decimal(when), []byte("FIELDS"), []byte("1"), field, value)
	default:
		c.PropagateAs("HSET", c.Key(1), field, value)
	}
}
