package data

import (
	"bytes"
	"errors"
	"math"
	"strconv"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var (
	errStreamID      = errors.New("ERR Invalid stream ID specified as stream command argument")
	errStartOfRange  = errors.New("ERR invalid start ID for the interval")
	errEndOfInterval = errors.New("ERR invalid end ID for the interval")
)

// parseStreamID reads an id of the form ms-seq, or ms alone, to which a seq is added.
func parseStreamID(b []byte, seq uint64) (store.StreamID, error) {
	ms, seqPart, hasSeq := bytes.Cut(b, []byte("-"))
	id := store.StreamID{Seq: seq}
	var err error
	if id.Ms, err = parseUint(ms); err == nil && hasSeq {
		id.Seq, err = parseUint(seqPart)
	}
	return id, err
}

// parseStreamIDs reads ids, all of them or none.
func parseStreamIDs(words [][]byte) ([]store.StreamID, error) {
	ids := make([]store.StreamID, len(words))
	for i, word := range words {
		var err error
		if ids[i], err = parseStreamID(word, 0); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

func idReply(id store.StreamID) resp.Value { return resp.Bulk(id.Append(nil)) }

// parseUint accepts what C's strtoull does, but for a minus sign.
func parseUint(b []byte) (uint64, error) {
	b = bytes.TrimLeft(b, " \t\n\v\f\r")
	n, err := strconv.ParseUint(string(bytes.TrimPrefix(b, []byte("+"))), 10, 64)
	if err != nil {
		return 0, errStreamID
	}
	return n, nil
}

// parseStreamBound is parseStreamID with "-" and "+" for the least and the greatest id.
func parseStreamBound(b []byte, seq uint64) (store.StreamID, error) {
	switch string(b) {
	case "-":
		return store.StreamID{}, nil
	case "+":
		return store.MaxStreamID, nil
	}
	return parseStreamID(b, seq)
}

// parseStreamRange reads the ends of a range; a parenthesis before one leaves it out.
func parseStreamRange(lower, upper []byte) (first, last store.StreamID, err error) {
	lower, open := cutParenthesis(lower)
	if first, err = parseStreamEnd(lower, 0, open); err != nil {
		return first, last, err
	}
	if open {
		if first == store.MaxStreamID {
			return first, last, errStartOfRange
		}
		first = first.Next()
	}
	upper, open = cutParenthesis(upper)
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

func cutParenthesis(b []byte) (rest []byte, open bool) {
	if len(b) > 1 && b[0] == '(' {
		return b[1:], true
	}
	return b, false
}

// parseStreamEnd reads an end of a range; "-" and "+" can't be left out of it.
func parseStreamEnd(b []byte, seq uint64, open bool) (store.StreamID, error) {
	if open {
		return parseStreamID(b, seq)
	}
	return parseStreamBound(b, seq)
}
