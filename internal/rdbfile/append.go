package rdbfile

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/minilockd/minilockd/internal/dump"
	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/store"
)

// Facts are what a file says besides the keys.
type Facts struct {
	Version   rdb.Version
	Server    string // the version of the server
	Libraries []string
	NoKeys    bool // the file has only the libraries
}

// Append appends an RDB file with the keys of all databases and the function libraries. The transaction must hold all
// shards.
func Append(dst []byte, tx *store.Tx, f Facts) []byte {
	start := len(dst)
	dst = appendMagic(dst, f.Version)
	dst = appendFact(dst, "redis-ver", f.Server)
	dst = appendFact(dst, "redis-bits", strconv.Itoa(strconv.IntSize))
	dst = appendFact(dst, "ctime", strconv.FormatInt(tx.Now()/1000, 10))
	for _, source := range f.Libraries {
		dst = rdb.AppendString(append(dst, opFunction), []byte(source))
	}
	if !f.NoKeys {
		for db := range tx.Store().Databases() {
			tx.In(db, func() { dst = appendDatabase(dst, tx, db, f.Version) })
		}
	}
	dst = append(dst, opEnd)
	return binary.LittleEndian.AppendUint64(dst, rdb.Checksum(dst[start:]))
}

func appendMagic(dst []byte, v rdb.Version) []byte {
	if v == rdb.Valkey9 {
		return fmt.Appendf(dst, "%s%03d", valkeyMagic, v)
	}
	return fmt.Appendf(dst, "%s%04d", magic, v)
}

func appendFact(dst []byte, name, value string) []byte {
	dst = rdb.AppendString(append(dst, opAux), []byte(name))
	return rdb.AppendString(dst, []byte(value))
}

// appendDatabase appends the keys of the selected database, if there are any.
func appendDatabase(dst []byte, tx *store.Tx, db int, v rdb.Version) []byte {
	size := tx.Size(db)
	if size == 0 {
		return dst
	}
	expiring, _ := tx.Expiring(db)
	dst = rdb.AppendLength(append(dst, opDatabase), uint64(db))
	dst = rdb.AppendLength(append(dst, opResize), uint64(size))
	dst = rdb.AppendLength(dst, uint64(expiring))
	thresholds := tx.Store().Thresholds()
	tx.Each(func(key []byte, e store.Entry) bool {
		if when, ok := e.ExpireAt(); ok {
			dst = rdb.AppendMs(append(dst, opExpireMs), when)
		}
		piece := dump.Piece(e.Value(), v, thresholds)
		dst = rdb.AppendString(append(dst, piece[0]), key)
		dst = append(dst, piece[1:]...)
		return true
	})
	return dst
}
