package dump

import (
	"math"
	"strconv"

	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/store"
)

// Encode returns the payload of a value. The thresholds tell how redis-server would divide lists.
func Encode(v store.Value, t *store.Thresholds) []byte { return rdb.Seal(Piece(v, t)) }

// Piece returns the payload without its footer: the type and the value, as in an RDB file.
func Piece(v store.Value, t *store.Thresholds) []byte {
	switch v := v.(type) {
	case *store.String:
		return rdb.AppendString([]byte{typeString}, v.Bytes())
	case *store.Hash:
		return encodeHash(v)
	case *store.List:
		return encodeList(v, t)
	case *store.Set:
		return encodeSet(v)
	case *store.ZSet:
		return encodeZSet(v)
	case *store.Stream:
		return encodeStream(v)
	}
	panic("dump: a value of type " + string(v.Type()))
}

// encodeHash writes a small hash as a listpack of fields and values in turn, in the order of their insertion, as
// redis-server does. The fields of a large one are in the order of our table, which depends on a random seed, as does
// that of redis-server.
func encodeHash(h *store.Hash) []byte {
	if h.Packed() {
		p := rdb.NewListpack()
		h.Each(func(field, value []byte) bool {
			p.Add(field)
			p.Add(value)
			return true
		})
		return rdb.AppendString([]byte{typeHashPacked}, p.Bytes())
	}
	b := rdb.AppendLength([]byte{typeHash}, uint64(h.Len()))
	h.Each(func(field, value []byte) bool {
		b = rdb.AppendString(rdb.AppendString(b, field), value)
		return true
	})
	return b
}

// encodeSet writes a set of integers as an intset, and any other as a table: sets as listpacks are of Redis 7.2, and
// redis-server 7.0 would reject them.
func encodeSet(s *store.Set) []byte {
	if s.Packed() {
		numbers := make([]int64, 0, s.Len())
		s.Each(func(member []byte) bool {
			n, _ := num.ParseInt(member)
			numbers = append(numbers, n)
			return true
		})
		return rdb.AppendString([]byte{typeSetInts}, rdb.AppendIntset(nil, numbers))
	}
	b := rdb.AppendLength([]byte{typeSet}, uint64(s.Len()))
	s.Each(func(member []byte) bool {
		b = rdb.AppendString(b, member)
		return true
	})
	return b
}

// encodeZSet writes a small set as a listpack of members and scores in turn, in their order. A large one is written
// from the highest score down, as by redis-server, which so always inserts at the head of its skip list when it reads
// the payload.
func encodeZSet(z *store.ZSet) []byte {
	if z.Packed() {
		p := rdb.NewListpack()
		z.Walk(z.All(), func(member []byte, score float64) bool {
			p.Add(member)
			addScore(p, score)
			return true
		})
		return rdb.AppendString([]byte{typeZSetPacked}, p.Bytes())
	}
	b := rdb.AppendLength([]byte{typeZSet}, uint64(z.Len()))
	z.WalkBack(z.All(), func(member []byte, score float64) bool {
		b = rdb.AppendDouble(rdb.AppendString(b, member), score)
		return true
	})
	return b
}

// addScore adds a score to a listpack: a whole number up to 2⁶² as an integer, any other as text.
func addScore(p *rdb.Listpack, score float64) {
	switch {
	case math.Abs(score) <= 1<<62 && score == math.Trunc(score):
		p.AddInt(int64(score))
	case math.IsInf(score, 1):
		p.Add([]byte("inf"))
	case math.IsInf(score, -1):
		p.Add([]byte("-inf"))
	default:
		p.Add(strconv.AppendFloat(nil, score, 'g', 17, 64))
	}
}
