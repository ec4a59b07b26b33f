// Package buffer reuses large buffers. Reusing warm buffers avoids zeroing and page faults.
package buffer

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/minilockd/minilockd/internal/poison"
)

// Large is how many bytes an idle connection may keep. Buffers with more room than that are lent.
const Large = 64 << 10

// spare is what was given back. The garbage collector takes what isn't used for long.
var spare sync.Pool

// huge is how many bytes make a buffer of which at most one is spare, for whichever goroutine comes first: a sync.Pool
// may hide it from the next one, and a second would double what the process takes.
const huge = 1 << 20

// spareHuge is a huge buffer that was given back. The garbage collector takes it, too, if it isn't used.
var spareHuge atomic.Pointer[hugeBuffer]

type hugeBuffer struct {
	first weak.Pointer[byte]
	size  int
}

// New returns an empty buffer with room for n bytes. It is safe for concurrent use, as is Drop.
func New(n int) []byte {
	switch {
	case n <= Large:
		return make([]byte, 0, n)
	case n >= huge:
		if h := spareHuge.Swap(nil); h != nil && h.size >= n {
			if first := h.first.Value(); first != nil {
				return unsafe.Slice(first, h.size)[:0]
			}
		}
	default:
		if b, ok := spare.Get().(*[]byte); ok && cap(*b) >= n {
			return (*b)[:0]
		}
	}
	return make([]byte, 0, 1<<bits.Len(uint(n-1))) // of few sizes, so that one fits where another was
}

// Drop puts a buffer back that is no longer used.
func Drop(b []byte) {
	poison.Buffer(b)
	switch {
	case cap(b) >= huge:
		spareHuge.Store(&hugeBuffer{weak.Make(unsafe.SliceData(b)), cap(b)})
	case cap(b) > Large:
		spare.Put(&b)
	}
}

// Grow returns b with room for n more bytes.
func Grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	return append(New(max(len(b)+n, 2*cap(b))), b...)
}
