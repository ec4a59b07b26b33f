package admin

import (
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// digest is a hash of data, the same as that of redis-server: what has an order is mixed in, what has none is added by
// exclusive or. (DEBUG DIGEST; computeDatasetDigest.)
type digest [sha1.Size]byte

// xor adds data regardless of the order.
func (d *digest) xor(data []byte) {
	for i, b := range sha1.Sum(data) {
		d[i] ^= b
	}
}

// mix adds data so that the order matters.
func (d *digest) mix(data []byte) {
	d.xor(data)
	*d = sha1.Sum(d[:])
}

// mixNumber is mix for a number of four bytes.
func (d *digest) mixNumber(n int) { d.mix(binary.BigEndian.AppendUint32(nil, uint32(n))) }

// xorPair adds two pieces of data which belong together, regardless of the order of pairs.
func (d *digest) xorPair(one, other []byte) {
	pair := pairOf(one, other)
	d.xor(pair[:])
}

func pairOf(one, other []byte) (pair digest) {
	pair.mix(one)
	pair.mix(other)
	return pair
}

func (d *digest) String() string { return hex.EncodeToString(d[:]) }

// typeNumbers are the numbers that Redis has for types.
var typeNumbers = map[store.Type]int{
	store.TypeString: 0, store.TypeList: 1, store.TypeSet: 2, store.TypeZSet: 3, store.TypeHash: 4, store.TypeStream: 6,
}

// addEntry adds a value and whether it expires.
func (d *digest) addEntry(c *command.Call, e store.Entry) {
	d.mixNumber(typeNumbers[e.Value().Type()])
	d.addValue(c, e.Value())
	if _, expires := e.ExpireAt(); expires {
		d.xor([]byte("!!expire!!"))
	}
}

// addValue adds a value by its type. Elements of lists and entries of streams have an order, members of sets and
// fields of hashes have none. Scores are added as texts, as Redis prints them.
func (d *digest) addValue(c *command.Call, v store.Value) {
	switch v := v.(type) {
	case *store.String:
		d.mix(v.Bytes())
	case *store.List:
		v.Walk(store.Span{Stop: v.Len()}, func(elem []byte) bool { d.mix(elem); return true })
	case *store.Set:
		v.Each(func(member []byte) bool { d.xor(member); return true })
	case *store.ZSet:
		v.Walk(v.All(), func(member []byte, score float64) bool {
			d.xorPair(member, resp.AppendDigits(nil, score, c.DoubleForm()))
			return true
		})
	case *store.Hash:
		d.addHash(v, c.Does(emulate.DigestHasFieldExpiry))
	case *store.Stream:
		v.Walk(store.StreamID{}, store.MaxStreamID, d.addStreamEntry)
	}
}

// addHash adds the fields of a hash and, if that is wanted, whether they expire.
func (d *digest) addHash(h *store.Hash, withExpiry bool) {
	h.Each(func(field, value []byte) bool {
		pair := pairOf(field, value)
		if _, expires := h.ExpireAt(field); expires && withExpiry {
			pair.xor([]byte("!!hexpire!!"))
		}
		d.xor(pair[:])
		return true
	})
}

func (d *digest) addStreamEntry(id store.StreamID, f store.Fields) bool {
	text := strconv.AppendUint(nil, id.Ms, 10)
	d.mix(strconv.AppendUint(append(text, '.'), id.Seq, 10))
	f.Each(func(name, value []byte) {
		d.mix(name)
		d.mix(value)
	})
	return true
}

// debugDigest returns the hash of all keys of all databases: DEBUG DIGEST. An empty server has zeros. Two servers with
// the same data have the same hash; the time of an expiry is not part of it, only whether there is one.
func debugDigest(c *command.Call) resp.Value {
	var all digest
	for db := range c.Env().Store.Databases() {
		if c.Tx.Size(db) == 0 {
			continue
		}
		all.mixNumber(db)
		c.Tx.In(db, func() {
			c.Tx.Each(func(key []byte, e store.Entry) bool { return all.addKey(c, key, e) })
		})
	}
	return resp.Status(all.String())
}

func (d *digest) addKey(c *command.Call, key []byte, e store.Entry) bool {
	var one digest
	one.mix(key)
	one.addEntry(c, e)
	d.xor(one[:])
	return true
}

// debugDigestValue returns the digest of each value, all zeros for a missing key: DEBUG DIGEST-VALUE key [key ...].
func debugDigestValue(c *command.Call) resp.Value {
	digests := make([]resp.Value, 0, c.Len()-2)
	for _, key := range c.Rest(2) {
		var d digest
		if e := c.Tx.Lookup(key, store.Inspect); e.Exists() {
			d.addEntry(c, e)
		}
		digests = append(digests, resp.Status(d.String()))
	}
	return resp.Array(digests...)
}
