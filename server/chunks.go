package server

import "github.com/minilockd/minilockd/internal/buffer"

// Sizes of chunks in bytes.
const (
	// shareFrom is the size from which a message is kept by reference: all its subscribers share the same bytes. Smaller
	// ones are copied together, which costs less than a slice and an iovec for each.
	shareFrom = 4 << 10
	// fullChunk is the size up to which a chunk grows, so that growing never copies more than that.
	fullChunk = buffer.Large
	// maxVector is the largest number of chunks of one write.
	maxVector = 64
)

// chunks is a queue of bytes to be written, as a list: pending bytes are never copied again, however slowly they are
// written. Small pieces are appended to the last chunk. The zero value is empty.
type chunks struct {
	list  [][]byte
	grows bool   // the last chunk may be appended to
	size  int    // bytes of all chunks
	spare []byte // an empty buffer for the next growing chunk, nil if there is none
	room  []byte // the writer's buffer, which becomes spare once all is written
}

// copy adds a copy of b.
func (q *chunks) copy(b []byte) {
	if len(b) == 0 {
		return
	}
	q.size += len(b)
	if last := len(q.list) - 1; q.grows && len(q.list[last])+len(b) <= fullChunk {
		q.list[last] = append(q.list[last], b...)
		return
	}
	q.list = append(q.list, append(q.spare, b...))
	q.spare, q.grows = nil, true
}

// share adds b, which must not be modified afterwards.
func (q *chunks) share(b []byte) {
	if len(b) < shareFrom {
		q.copy(b)
		return
	}
	q.list = append(q.list, b)
	q.size += len(b)
	q.grows = false
}

// move moves the content of another queue to the end of this one.
func (q *chunks) move(from *chunks) {
	for _, b := range from.list {
		q.share(b)
	}
	*from = chunks{}
}

// swap exchanges the content with that of an empty queue, which a writer uses from now on, and reuses its buffer.
func (q *chunks) swap(empty *chunks) {
	*q, *empty = *empty, *q
	if empty.grows && len(empty.list) == 1 && cap(empty.list[0]) <= fullChunk {
		empty.room = empty.list[0][:0]
	}
	empty.grows = false
}

// next returns the first chunks, at most maxVector. They stay valid until written is called.
func (q *chunks) next() [][]byte { return q.list[:min(len(q.list), maxVector)] }

// written removes the first n bytes.
func (q *chunks) written(n int) {
	q.size -= n
	done := 0
	for done < len(q.list) && n >= len(q.list[done]) {
		n -= len(q.list[done])
		done++
	}
	clear(q.list[:done]) // frees their memory before all is written
	if done == len(q.list) {
		q.list = q.list[:0]
		q.spare, q.room = q.room, nil
		return
	}
	q.list = q.list[done:]
	q.list[0] = q.list[0][n:]
}

// totalSize returns the number of bytes.
func totalSize(list [][]byte) (n int) {
	for _, b := range list {
		n += len(b)
	}
	return n
}
