// Package buffer lends large buffers: memory that was used a moment ago is neither to be cleared nor to be asked of the system.
package buffer

import (
	"math/bits"
	"sync"
)

// Large is how many bytes an idle connection may keep. Buffers with more room than that are lent.
const Large = 64 << 10

// spare is what was given back. The garbage collector takes what isn't used for long.
var spare sync.Pool

// New returns an empty buffer with room for n bytes. It is safe for concurrent use, as is Drop.
func New(n int) []byte {
	if n <= Large {
		return make([]byte, 0, n)
	}
	if b, ok := spare.Get().(*[]byte); ok && cap(*b) >= n {
		return (*b)[:0]
	}
	return make([]byte, 0, 1<<bits.Len(uint(n-1))) // of few sizes, so that one fits where another was
}

// Drop gives a buffer back that nobody looks at any more.
func Drop(b []byte) {
	if cap(b) > Large {
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
