package data

import (
	"errors"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/dump"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// DUMP and RESTORE exchange values in the format of RDB files with a version and a checksum (package internal/dump),
// so that values move between this server and Redis. RESTORE checks in the order of Redis: options, BUSYKEY, ttl,
// payload (RESTORE command page).

// restoreUsage is for RESTORE and RESTORE-ASKING, which is the same command but allowed on a slot that is being
// imported.
const restoreUsage = "key ttl serialized-value [REPLACE] [ABSTTL] [IDLETIME seconds] [FREQ frequency]"

var dumpCommands = []command.Command{
	{Name: "dump", Usage: "key", Arity: 2, Flags: command.ReadOnly, Keys: command.OneKey, Access: "RO access",
		Since: "2.6.0", Tips: "nondeterministic_output",
		Summary: "Returns the value of a key in the form that RESTORE takes.", Run: dumpKey},
	{Name: "restore", Usage: restoreUsage, Arity: -4, Flags: writeDenyOOM | command.Dangerous, Keys: command.OneKey,
		Access: "OW update", Since: "2.6.0",
		Summary: "Creates a key from what DUMP returned.", Run: restore},
	{Name: "restore-asking", Usage: restoreUsage, Arity: -4, Flags: writeDenyOOM | command.Dangerous | command.Asking,
		Keys: command.OneKey, Access: "OW update", Since: "3.0.0",
		Summary: "RESTORE for a slot that is on its way to this node of a cluster.", Run: restore},
}

// The errors of RESTORE but for the payload, whose version, checksum and content package dump checks.
var (
	errBusyKey     = errors.New("BUSYKEY Target key name already exists.")
	errRestoreTTL  = errors.New("ERR Invalid TTL value, must be >= 0")
	errRestoreIdle = errors.New("ERR Invalid IDLETIME value, must be >= 0")
	errRestoreFreq = errors.New("ERR Invalid FREQ value, must be >= 0 and <= 255")
)

// dumpKey implements DUMP key. It replies null for a missing key. The payload is the value alone, without key and
// expiry, which MIGRATE passes separately.
func dumpKey(c *command.Call) resp.Value {
	e := c.Tx.Lookup(c.Key(1), store.ForRead)
	if !e.Exists() {
		return resp.Null
	}
	return resp.Bulk(dump.Encode(e.Value(), c.Env().Table.Server.RDB, c.Env().Store.Thresholds()))
}

// restoreOptions are the options of RESTORE after the payload. IDLETIME and FREQ set what OBJECT replies; each has an
// effect only with a maxmemory-policy that uses it.
type restoreOptions struct {
	replace  bool
	absolute bool  // ttl is a Unix time
	idle     int64 // seconds; -1 if not given
	freq     int64 // -1 if not given
}

// parseRestore rejects IDLETIME together with FREQ, as a syntax error: a server has either LRU or LFU.
func parseRestore(c *command.Call) (o restoreOptions, err error) {
	o.idle, o.freq = -1, -1
	for i := 4; i < c.Len() && err == nil; i++ {
		more := i+1 < c.Len()
		switch {
		case c.Is(i, "replace"):
			o.replace = true
		case c.Is(i, "absttl"):
			o.absolute = true
		case c.Is(i, "idletime") && more && o.freq < 0:
			i++
			o.idle, err = c.IntBetween(i, 0, 1<<63-1, errRestoreIdle)
		case c.Is(i, "freq") && more && o.idle < 0:
			i++
			o.freq, err = c.IntBetween(i, 0, 255, errRestoreFreq)
		default:
			err = command.ErrSyntax
		}
	}
	return o, err
}

// restore implements RESTORE key ttl serialized-value [REPLACE] [ABSTTL] [IDLETIME s] [FREQ n]. The ttl is in ms; 0 is
// no expiry. It checks BUSYKEY before the ttl and the payload, so it can be used to test whether a key exists. The
// event is "restore".
func restore(c *command.Call) resp.Value {
	o, err := parseRestore(c)
	if err != nil {
		return c.Fail(err)
	}
	key := c.Key(1)
	looksUp := !o.replace || c.Does(emulate.RestoreTouches)
	if looksUp && c.Tx.Lookup(key, store.NoStats).Exists() && !o.replace {
		return c.Fail(errBusyKey)
	}
	when, err := c.IntBetween(2, 0, 1<<63-1, errRestoreTTL)
	if err != nil {
		return c.Fail(err)
	}
	val, err := dump.Decode(c.Arg(3), c.Env().Table.Server.RDB, uncheckedByRestore(c), c.Env().Store.Thresholds())
	if err != nil {
		return c.Fail(err)
	}
	// A ttl of 0 means no expiry, with ABSTTL as well.
	if when > 0 && !o.absolute {
		when += c.Tx.Latest()
	}
	deleted := restoreTo(c, key, val, when, o)
	if when != 0 && c.Propagates() {
		propagateRestore(c, when, o, deleted)
	}
	return resp.OK
}

// propagateRestore sends RESTORE with the expiry as a Unix time in ms, or the deletion of the key that was there.
func propagateRestore(c *command.Call, when int64, o restoreOptions, deleted bool) {
	switch {
	case passed(c, when):
		propagateIf(c, deleted, deletionByServer(c), c.Key(1))
	case !o.absolute:
		args := append(slices.Clone(c.Args), []byte("ABSTTL"))
		args[2] = decimal(when)
		c.Propagate(args...)
	}
}

// uncheckedByRestore is what RESTORE does not check of a payload.
func uncheckedByRestore(c *command.Call) (u rdb.Unchecked) {
	u = c.Env().Config.UncheckedVersion()
	if c.Env().SkipChecksum.Load() {
		u |= rdb.UncheckedSum
	}
	return u
}

// restoreTo stores a value. If it has expired already the key is only deleted, with the event "del" if REPLACE has met
// one, and the reply is OK all the same. It reports whether it has deleted a key.
func restoreTo(c *command.Call, key []byte, val store.Value, when int64, o restoreOptions) (deleted bool) {
	if when != 0 && passed(c, when) {
		return deleteKey(c, key)
	}
	old := c.Tx.PutUntil(key, val, when)
	if o.idle >= 0 {
		c.Tx.SetIdle(key, o.idle)
	}
	if o.freq >= 0 {
		c.Tx.SetFrequency(key, uint8(o.freq))
	}
	c.Changed(key, store.EventGeneric, "restore")
	c.Tx.ReportOverwritten(key, old)
	return false
}
