package dump

import (
	"math"
	"strconv"

	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// reader reads the payload of a value that is going to be stored under some thresholds.
type reader struct {
	*rdb.Reader
	thresholds *store.Thresholds
}

// decoders read what follows a type, of the versions of the format that have it. A wrong value has failed its reader,
// or is empty.
var decoders = []struct {
	first, last rdb.Version
	byType      map[byte]func(*reader) store.Value
}{
	{0, math.MaxUint16, map[byte]func(*reader) store.Value{
		typeString:       decodeString,
		typeList:         decodeList,
		typeSet:          decodeSet,
		typeZSetText:     decodeZSet((*reader).TextDouble),
		typeHash:         decodeHash,
		typeZSet:         decodeZSet((*reader).Double),
		typeHashZipmap:   decodeHashOf(rdb.ReadZipmap, (*store.Hash).Update),
		typeListZiplist:  decodeZiplist,
		typeSetInts:      decodeInts,
		typeZSetZiplist:  decodeZSetOf(rdb.ReadZiplist),
		typeHashZiplist:  decodeHashOf(rdb.ReadZiplist, (*store.Hash).Load),
		typeListZiplists: decodeZiplists,
		typeStreamOld:    decodeStream(streamForm{}),
		typeHashPacked:   decodeHashOf(readListpack, (*store.Hash).Load),
		typeZSetPacked:   decodeZSetOf(readListpack),
		typeList2:        decodeNodes,
		typeStream:       decodeStream(streamForm{hasPast: true}),
	}},
	{rdb.Redis72, math.MaxUint16, map[byte]func(*reader) store.Value{
		typeSetPacked: decodeSetPacked,
		typeStream3:   decodeStream(streamForm{hasPast: true, hasActive: true}),
	}},
	{rdb.Redis74, rdb.Redis74, map[byte]func(*reader) store.Value{
		typeHashExpiring: decodeHashExpiring,
		typeHashTriples:  decodeHashTriples,
	}},
	{rdb.Valkey9, rdb.Valkey9, map[byte]func(*reader) store.Value{
		typeHashValkey: decodeHashValkey,
	}},
}

// decoderOf returns the decoder of a type in a version of the format; nil if that does not have it.
func decoderOf(valueType byte, v rdb.Version) func(*reader) store.Value {
	for _, of := range decoders {
		if decode := of.byType[valueType]; decode != nil && of.first <= v && v <= of.last {
			return decode
		}
	}
	return nil
}

// readListpack is rdb.ReadListpack with the result type that decoders take.
func readListpack(b []byte) rdb.Elements { return rdb.ReadListpack(b) }

// Decode returns the value of a payload that a server with version v of the format gets, for a store with the given
// thresholds, or an error: ErrFooter, ErrFormat, or that of a type of another product.
func Decode(payload []byte, v rdb.Version, u rdb.Unchecked, t *store.Thresholds) (store.Value, error) {
	_, written, err := rdb.Open(payload, v, u)
	if err != nil {
		return nil, err
	}
	r := &reader{rdb.NewReader(payload), t} // in a corrupt payload a value may run into the footer, as in Redis
	valueType := r.Byte()
	decode := decoderOf(valueType, v)
	if decode != nil && v == rdb.Valkey9 && written.ForeignToValkey() && valueType >= typeHashValkey {
		return nil, words.Errorf("ERR Unsupported foreign data type: %d", valueType)
	}
	if decode == nil || r.Failed() {
		return nil, ErrFormat
	}
	val := decode(r)
	if r.Failed() || isEmpty(val) {
		return nil, ErrFormat
	}
	return val, nil
}

// DecodeFile returns the value that follows its type in an RDB file of version v, for a store with the given
// thresholds. It returns nil for a type that it does not know, and if the content is invalid: then r has failed.
func DecodeFile(r *rdb.Reader, v rdb.Version, valueType byte, t *store.Thresholds) store.Value {
	decode := decoderOf(valueType, v)
	if decode == nil {
		return nil
	}
	val := decode(&reader{r, t})
	if r.Failed() || isEmpty(val) {
		r.Fail()
		return nil
	}
	return val
}

// isEmpty reports whether a value has no elements though its type needs one: such a key cannot exist, so Redis rejects
// the payload. A string and a stream may be empty.
func isEmpty(v store.Value) bool {
	if v.Type() == store.TypeString || v.Type() == store.TypeStream {
		return false
	}
	return v.(interface{ Len() int }).Len() == 0
}

// decodeString reads a string in any of its forms: plain, as the integer whose digits it is, or compressed.
func decodeString(r *reader) store.Value { return store.NewString(r.String()) }

// decodeSet reads a set as a table. A member that comes twice is an error. The thresholds decide whether the set
// becomes an intset, or packed.
func decodeSet(r *reader) store.Value {
	n := r.Count()
	s := store.Bind(store.NewSet(), r.thresholds).StartsAsInts().StartsAsTable(n)
	for ; n > 0 && !r.Failed(); n-- {
		if !s.Add(r.String()) {
			r.Fail()
		}
	}
	return s
}

// decodeInts reads an intset, which turns into a table if it has more members than set-max-intset-entries.
func decodeInts(r *reader) store.Value {
	s := store.Bind(store.NewSet(), r.thresholds).StartsAsInts()
	var text [20]byte
	if !rdb.EachInIntset(r.String(), func(n int64) { s.Add(strconv.AppendInt(text[:0], n, 10)) }) {
		r.Fail()
	}
	return s
}

// decodeSetPacked reads a set from a listpack of its members, of which none may come twice.
func decodeSetPacked(r *reader) store.Value {
	s, e := store.Bind(store.NewSet(), r.thresholds), rdb.ReadListpack(r.String())
	distinct := s.LoadPacked(func() (member []byte, ok bool) {
		if !e.More() {
			return nil, false
		}
		return e.Next(), true
	})
	if !distinct || !e.Done() {
		r.Fail()
	}
	return s
}

// decodeZSet reads a sorted set with its scores in one of two forms.
func decodeZSet(score func(*reader) float64) func(*reader) store.Value {
	return func(r *reader) store.Value {
		z := store.NewZSetTable() // it keeps the sign of a zero
		for n := r.Count(); n > 0 && !r.Failed(); n-- {
			member := r.String()
			loadMember(r, z, member, score(r))
		}
		return z
	}
}

// loadMember adds a member, which must not be there yet, with its score, which must not be NaN.
func loadMember(r *reader, z *store.ZSet, member []byte, score float64) {
	if math.IsNaN(score) || !z.Load(member, score) {
		r.Fail()
	}
}

// decodeZSetOf reads a sorted set from a packed form of members and scores in turn; a score may be an integer or text.
func decodeZSetOf(open func([]byte) rdb.Elements) func(*reader) store.Value {
	return func(r *reader) store.Value {
		z, e := store.Bind(store.NewZSet(), r.thresholds), open(r.String())
		for e.More() && !r.Failed() {
			member := e.Next()
			score, err := strconv.ParseFloat(string(e.Next()), 64)
			if err != nil {
				r.Fail()
				break
			}
			loadMember(r, z, member, score)
		}
		if !e.Done() {
			r.Fail()
		}
		return z
	}
}
