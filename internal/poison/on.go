//go:build poison

package poison

// On reports whether freed memory is overwritten.
const On = true

// Words overwrites the words of a request that has been served.
func Words(words [][]byte) {
	for _, w := range words {
		fill(w)
	}
}

// Buffer overwrites a buffer with all the room it has.
func Buffer(b []byte) { fill(b[:cap(b)]) }

func fill(b []byte) {
	for i := range b {
		b[i] = Byte
	}
}
