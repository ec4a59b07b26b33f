package dump

import (
	"math"

	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Encode returns the payload of a value in a version of the format. The thresholds tell how redis-server would divide
// lists.
func Encode(val store.Value, v rdb.Version, t *store.Thresholds) []byte {
	return rdb.Seal(Piece(val, v, t), v)
}

// Piece returns the payload without its footer: the type and the value, as in an RDB file.
func Piece(val store.Value, version rdb.Version, t *store.Thresholds) []byte {
	switch v := val.(type) {
	case *store.String:
		return rdb.AppendString([]byte{typeString}, v.Bytes())
	case *store.Hash:
		return encodeHash(v, version)
	case *store.List:
		return encodeList(v, version, t)
	case *store.Set:
		return encodeSet(v, version)
	case *store.ZSet:
		return encodeZSet(v, version)
	case *store.Stream:
		return encodeStream(v, version)
	}
	panic("dump: a value of type " + string(val.Type()))
}

// encodeSet writes a set of integers as an intset, and any other small one as a listpack where the format has these.
func encodeSet(s *store.Set, v rdb.Version) []byte {
	if s.Short() && v >= rdb.Redis72 {
		p := rdb.NewListpack()
		s.Each(func(member []byte) bool { p.Add(member); return true })
		return rdb.AppendString([]byte{typeSetPacked}, p.Bytes())
	}
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
func encodeZSet(z *store.ZSet, v rdb.Version) []byte {
	if z.Packed() {
		p := rdb.NewListpack()
		z.Walk(z.All(), func(member []byte, score float64) bool {
			p.Add(member)
			addScore(p, score, v)
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
func addScore(p *rdb.Listpack, score float64, v rdb.Version) {
	if math.Abs(score) <= 1<<62 && score == math.Trunc(score) {
		p.AddInt(int64(score))
		return
	}
	p.Add(resp.AppendDouble(nil, score, resp.DoubleForm(v >= rdb.Redis72)))
}
