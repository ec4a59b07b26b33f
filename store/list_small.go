package store

import "github.com/minilockd/minilockd/internal/rdb"

// A small list is a single listpack for OBJECT ENCODING and DEBUG since Redis 7.2, and a quicklist of several ones
// beyond the threshold (list-max-listpack-size). It becomes small again when it shrinks to half of that. Chunks hold
// the elements in either case, so a list only notes on which side it is.

// listState says on which side of the threshold a list is. How many bytes a listpack takes is counted only now and
// then: for as long as the elements can't have added, or lost, as much as was left to the threshold.
type listState struct {
	large bool
	limit uint8 // the index in listLimits that recheck is for
	// recheck is the number of bytes, as List.bytes counts them, at which the size may have come to the threshold.
	recheck int
}

// listLimits are the sizes in bytes that list-max-listpack-size -1, -2 and so on stand for. A number of elements has
// the second one as a limit, too.
var listLimits = [...]int{4096, 8192, 16384, 32768, 65536}

const listpackFrame = 7 // bytes of the header and the end of a listpack

// listThreshold is the threshold of a list: an index in listLimits and the most elements, 0 for any number.
func (b *bound) listThreshold() (limit uint8, most int) {
	size := b.thresholds().ListSize.Load()
	if size < 0 {
		return uint8(min(-size, int64(len(listLimits)))) - 1, 0
	}
	return 1, int(max(size, 1))
}

// Small reports whether one listpack holds the list.
func (l *List) Small() bool { return !l.state.large }

// grow notes that an element is going to be added.
func (l *List) grow(elem []byte) {
	slot := slotSize(elem)
	if l.state.large {
		l.state.recheck += slot
		return
	}
	limit, most := l.listThreshold()
	if most != 0 && l.count >= most {
		l.becomeLarge()
		return
	}
	// A listpack takes at most one byte more for an element than a chunk.
	if limit != l.state.limit || l.bytes+l.count+slot >= l.state.recheck {
		l.recheckSmall(limit, len(elem))
	}
}

// recheckSmall counts the bytes of a small list, which more bytes are going to be added to.
func (l *List) recheckSmall(limit uint8, more int) {
	left := listLimits[limit] - l.listpackSize() - more
	if left < 0 {
		l.becomeLarge()
		return
	}
	l.state.limit, l.state.recheck = limit, l.bytes+l.count+left+1
}

func (l *List) becomeLarge() { l.state = listState{large: true, recheck: l.bytes} }

// shrunk notes that elements which took so many bytes were removed.
func (l *List) shrunk(size int) {
	if !l.state.large {
		l.state.recheck -= size
		return
	}
	limit, most := l.listThreshold()
	if most != 0 && l.count > most/2 || limit == l.state.limit && l.bytes > l.state.recheck {
		return
	}
	half := listLimits[limit] / 2
	if most != 0 {
		half = listLimits[limit]
	}
	if over := l.listpackSize() - half; over > 0 {
		l.state.limit, l.state.recheck = limit, l.bytes-over
		return
	}
	l.state = listState{}
}

// listpackSize is how many bytes the elements take in a listpack. More than the largest limit need not be counted.
func (l *List) listpackSize() int {
	size := listpackFrame
	l.Walk(Span{Stop: l.count}, func(elem []byte) bool {
		size += rdb.ListpackString(elem)
		return size <= listLimits[len(listLimits)-1]
	})
	return size
}

// Unpack makes a list of an old payload a quicklist, however small it is. The list must not be in a store yet.
func (l *List) Unpack() { l.becomeLarge() }

// bind implements Value. A new list is small if it does not exceed the threshold, unless it was unpacked.
func (l *List) bind(t *Thresholds) {
	if !l.rebind(t) {
		return
	}
	limit, most := l.listThreshold()
	if l.state.large || most != 0 && l.count > most {
		l.becomeLarge()
		return
	}
	l.state = listState{}
	l.recheckSmall(limit, 0)
}
