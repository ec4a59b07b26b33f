package store

import (
	"cmp"
	"math"
	"strconv"
)

// StreamID identifies an entry of a stream: a time in ms since the epoch, and a number among the entries of that time.
type StreamID struct{ Ms, Seq uint64 }

// MaxStreamID is the highest id.
var MaxStreamID = StreamID{math.MaxUint64, math.MaxUint64}

// Compare is negative if id comes before o, and positive if it comes behind.
func (id StreamID) Compare(o StreamID) int {
	return cmp.Or(cmp.Compare(id.Ms, o.Ms), cmp.Compare(id.Seq, o.Seq))
}

// Next is the id behind this one; that of MaxStreamID is the zero id.
func (id StreamID) Next() StreamID {
	if id.Seq++; id.Seq == 0 {
		id.Ms++
	}
	return id
}

// Previous is the id before this one; that of the zero id is MaxStreamID.
func (id StreamID) Previous() StreamID {
	if id.Seq--; id.Seq == math.MaxUint64 {
		id.Ms--
	}
	return id
}

// Append adds the text of the id, such as 1526919030474-55, to dst.
func (id StreamID) Append(dst []byte) []byte {
	dst = append(strconv.AppendUint(dst, id.Ms, 10), '-')
	return strconv.AppendUint(dst, id.Seq, 10)
}
