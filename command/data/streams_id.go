package data

import (
	"bytes"
	"errors"
	"math"
	"strconv"

	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// IDs of entries are ms-seq, two unsigned numbers (XADD command page). In a range a missing seq means the first id of
// that millisecond, or the last one at the upper end; "-" and "+" are the lowest and the highest id, and "(" excludes
// an end.

// errStreamID is for everything that is not an id; the others for an excluded end with no id beyond it.
var (
	errStreamID      = errors.New("ERR Invalid stream ID specified as stream command argument")
	errStartOfRange  = errors.New("ERR invalid start ID for the interval")
	errEndOfInterval = errors.New("ERR invalid end ID for the interval")
)

// parseStreamID parses ms-seq, or ms alone; then seq is used.
func parseStreamID(b []byte, seq uint64) (store.StreamID, error) {
	ms, seqPart, hasSeq := bytes.Cut(b, []byte("-"))
	id := store.StreamID{Seq: seq}
	var err error
	if id.Ms, err = parseUint(ms); err == nil && hasSeq {
		id.Seq, err = parseUint(seqPart)
	}
	return id, err
}

// parseStreamIDs parses ids. If one is invalid it returns none.
func parseStreamIDs(args [][]byte) ([]store.StreamID, error) {
	ids := make([]store.StreamID, len(args))
	for i, arg := range args {
		var err error
		if ids[i], err = parseStreamID(arg, 0); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// idReply replies an id as a string, ms-seq.
func idReply(id store.StreamID) resp.Value { return resp.Bulk(id.Append(nil)) }

// parseUint accepts what strtoull does in C, except for a minus sign.
func parseUint(b []byte) (uint64, error) {
	b = num.TrimBlanks(b)
	n, err := strconv.ParseUint(string(bytes.TrimPrefix(b, []byte("+"))), 10, 64)
	if err != nil {
		return 0, errStreamID
	}
	return n, nil
}

// parseStreamBound is parseStreamID that also takes "-" and "+", for the lowest and the highest id.
func parseStreamBound(b []byte, seq uint64) (store.StreamID, error) {
	switch string(b) {
	case "-":
		return store.StreamID{}, nil
	case "+":
		return store.MaxStreamID, nil
	}
	return parseStreamID(b, seq)
}

// parseStreamRange parses the ends of a range and returns the first and the last id in it. Excluding the highest id
// as a start, or the lowest as an end, is an error.
func parseStreamRange(lower, upper []byte) (first, last store.StreamID, err error) {
	lower, open := cutOpen(lower)
	if first, err = parseStreamEnd(lower, 0, open); err != nil {
		return first, last, err
	}
	if open {
		if first == store.MaxStreamID {
			return first, last, errStartOfRange
		}
		// An excluded end is the next id: ranges of the store include both ends.
		first = first.Next()
	}
	upper, open = cutOpen(upper)
	if last, err = parseStreamEnd(upper, math.MaxUint64, open); err != nil {
		return first, last, err
	}
	if open {
		if last == (store.StreamID{}) {
			return first, last, errEndOfInterval
		}
		last = last.Previous()
	}
	return first, last, nil
}

// cutOpen cuts "(" off the end of a range. A lone "(" is left, as an invalid id.
func cutOpen(b []byte) (rest []byte, open bool) {
	if len(b) > 1 && b[0] == '(' {
		return b[1:], true
	}
	return b, false
}

// parseStreamEnd parses an end of a range. "(-" and "(+" are invalid.
func parseStreamEnd(b []byte, seq uint64, open bool) (store.StreamID, error) {
	if open {
		return parseStreamID(b, seq)
	}
	return parseStreamBound(b, seq)
}
