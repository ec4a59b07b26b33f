package rdbfile

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/minilockd/minilockd/internal/dump"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/store"
)

// Facts are what a file says besides the keys.
type Facts struct {
	Server      *emulate.Server // whose file it is
	MadeAt      int64           // in ms since the epoch
	Memory      int64           // in use, in bytes
	Replication *Replication    // nil for a file that is not about replication
	Libraries   []string        // the sources of the function libraries
	NoKeys      bool            // the keys are left out
	NoChecksum  bool            // the checksum is 0, for unknown
}

// Replication is where a stream of replication goes on behind the file.
type Replication struct {
	ID     string
	Offset int64
	DB     int // which the stream has selected
}

// Append appends an RDB file with the keys of all databases, in the version of the format that the server writes. The
// transaction must hold all shards.
func Append(dst []byte, tx *store.Tx, f *Facts) []byte { return appendFile(dst, txKeys{tx}, f) }

// AppendSnapshot is Append for the keys of a snapshot, which needs no transaction. Its values are divided by the
// thresholds.
func AppendSnapshot(dst []byte, s *store.Snapshot, t *store.Thresholds, f *Facts) []byte {
	return appendFile(dst, snapshotKeys{s, t}, f)
}

// keys are what is written.
type keys interface {
	Databases() int
	Size(db int) (keys, expiring int)
	EachStored(db int, f func(k *store.StoredKey))
	Thresholds() *store.Thresholds
}

// txKeys are the keys that a transaction sees.
type txKeys struct{ *store.Tx }

func (k txKeys) Databases() int                { return k.Store().Databases() }
func (k txKeys) Thresholds() *store.Thresholds { return k.Store().Thresholds() }

func (k txKeys) Size(db int) (keys, expiring int) {
	expiring, _ = k.Expiring(db)
	return k.Tx.Size(db), expiring
}

// snapshotKeys are the keys of a snapshot.
type snapshotKeys struct {
	*store.Snapshot
	thresholds *store.Thresholds
}

func (k snapshotKeys) Thresholds() *store.Thresholds { return k.thresholds }

func appendFile(dst []byte, k keys, f *Facts) []byte {
	start := len(dst)
	dst = f.appendHead(dst)
	for _, source := range f.Libraries {
		dst = rdb.AppendString(append(dst, opFunction), []byte(source))
	}
	if !f.NoKeys {
		for db := range k.Databases() {
			dst = appendDatabase(dst, k, db, f.Server.RDB)
		}
	}
	dst = append(dst, opEnd)
	sum := uint64(0)
	if !f.NoChecksum {
		sum = rdb.Checksum(dst[start:])
	}
	return binary.LittleEndian.AppendUint64(dst, sum)
}

// appendHead appends the version and the facts about the server, in the order of redis-server.
func (f *Facts) appendHead(dst []byte) []byte {
	if f.Server.RDB == rdb.Valkey9 {
		dst = fmt.Appendf(dst, "%s%03d", valkeyMagic, f.Server.RDB)
	} else {
		dst = fmt.Appendf(dst, "%s%04d", magic, f.Server.RDB)
	}
	dst = appendFact(dst, f.Server.Product()+"-ver", f.Server.Version)
	dst = appendFact(dst, "redis-bits", strconv.IntSize)
	dst = appendFact(dst, "ctime", f.MadeAt/1000)
	dst = appendFact(dst, "used-mem", f.Memory)
	if r := f.Replication; r != nil {
		dst = appendFact(dst, "repl-stream-db", r.DB)
		dst = appendFact(dst, "repl-id", r.ID)
		dst = appendFact(dst, "repl-offset", r.Offset)
	}
	return appendFact(dst, "aof-base", 0)
}

func appendFact(dst []byte, name string, value any) []byte {
	dst = rdb.AppendString(append(dst, opAux), []byte(name))
	return rdb.AppendString(dst, fmt.Append(nil, value))
}

// appendDatabase appends the keys of a database, unless it is empty, behind how many there are.
func appendDatabase(dst []byte, k keys, db int, v rdb.Version) []byte {
	size, expiring := k.Size(db)
	if size == 0 {
		return dst
	}
	dst = rdb.AppendLength(append(dst, opDatabase), uint64(db))
	dst = rdb.AppendLength(append(dst, opResize), uint64(size))
	dst = rdb.AppendLength(dst, uint64(expiring))
	k.EachStored(db, func(key *store.StoredKey) { dst = appendKey(dst, key, v, k.Thresholds()) })
	return dst
}

// appendKey appends a key with its value and what is known of it.
func appendKey(dst []byte, k *store.StoredKey, v rdb.Version, t *store.Thresholds) []byte {
	if k.When != 0 {
		dst = rdb.AppendMs(append(dst, opExpireMs), k.When)
	}
	if k.Idle >= 0 {
		dst = rdb.AppendLength(append(dst, opIdle), uint64(k.Idle))
	}
	if k.Freq >= 0 {
		dst = append(dst, opFreq, byte(k.Freq))
	}
	piece := dump.Piece(k.Value, v, t)
	dst = rdb.AppendString(append(dst, piece[0]), []byte(k.Name))
	return append(dst, piece[1:]...)
}
