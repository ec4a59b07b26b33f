package store

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// chunk is a run of a list's elements in one piece of memory. Each element is kept between two copies of its length,
// the second one back to front, so that a chunk can be read, and grows and shrinks, at both ends.
type chunk struct {
	buf        []byte
	head, tail int32 // the elements are in buf[head:tail]
	count      int32
}

// chunkSize is how many bytes a chunk holds; an element that is larger has a chunk of its own.
const chunkSize = 4096

// newChunk returns a chunk of the given size which is to grow at one end.
func newChunk(size int, at End) chunk {
	c := chunk{buf: make([]byte, size)}
	if at == Front {
		c.head, c.tail = int32(size), int32(size)
	}
	return c
}

// slotSize is how many bytes an element takes.
func slotSize(elem []byte) int {
	size := len(elem) + 2
	for n := len(elem); n >= 0x80; n >>= 7 {
		size += 2
	}
	return size
}

// putSlot writes an element and its lengths over dst, which has the right size.
func putSlot(dst, elem []byte) {
	n := binary.PutUvarint(dst, uint64(len(elem)))
	copy(dst[n:], elem)
	end := dst[len(dst)-n:]
	copy(end, dst[:n])
	slices.Reverse(end)
}

// at returns the element that begins at offset off, and the offset behind it.
func (c *chunk) at(off int32) (elem []byte, next int32) {
	n, w := binary.Uvarint(c.buf[off:])
	start := off + int32(w)
	end := start + int32(n)
	return c.buf[start:end:end], end + int32(w)
}

// before returns the element that ends at offset off, and where it begins.
func (c *chunk) before(off int32) (elem []byte, start int32) {
	n, w := int32(0), int32(0)
	for more := true; more; w++ {
		b := c.buf[off-w-1]
		n |= int32(b&0x7f) << (7 * w)
		more = b >= 0x80
	}
	end := off - w
	return c.buf[end-n : end : end], end - n - w
}

// used is how many bytes the elements take.
func (c *chunk) used() int { return int(c.tail - c.head) }

// makeRoom makes room for size bytes at an end, and reports false if the chunk is full.
func (c *chunk) makeRoom(size int, at End) bool {
	free := int(c.head)
	if at == Back {
		free = len(c.buf) - int(c.tail)
	}
	switch used := c.used(); {
	case size <= free:
		return true
	case used+size > chunkSize && used > 0:
		return false
	case used+size <= len(c.buf)/2: // there is room at the other end
		c.moveTo(c.buf, (len(c.buf)-used)/2)
		return true
	case used+size <= len(c.buf) && len(c.buf) >= chunkSize:
		return false
	default:
		c.grow(size, at)
		return true
	}
}

// grow gives the chunk more memory, at least for size bytes more at one end.
func (c *chunk) grow(size int, at End) {
	need := c.used() + size
	if c.used() > 0 {
		need = max(need, min(2*need, chunkSize))
	}
	start := 0
	if at == Front {
		start = need - c.used()
	}
	c.moveTo(make([]byte, need), start)
}

func (c *chunk) moveTo(buf []byte, start int) {
	n := copy(buf[start:], c.buf[c.head:c.tail])
	c.buf, c.head, c.tail = buf, int32(start), int32(start+n)
}

// push adds an element at an end, and reports false if the chunk is full.
func (c *chunk) push(elem []byte, at End) bool {
	size := int32(slotSize(elem))
	if !c.makeRoom(int(size), at) {
		return false
	}
	if at == Front {
		c.head -= size
		putSlot(c.buf[c.head:c.head+size], elem)
	} else {
		putSlot(c.buf[c.tail:c.tail+size], elem)
		c.tail += size
	}
	c.count++
	return true
}

// pop removes an element at an end. It stays readable until the next push.
func (c *chunk) pop(at End) (elem []byte) {
	if at == Front {
		elem, c.head = c.at(c.head)
	} else {
		elem, c.tail = c.before(c.tail)
	}
	c.count--
	return elem
}

// seek returns the offset of the i-th element.
func (c *chunk) seek(i int32) int32 {
	if i > c.count/2 {
		off := c.tail
		for range c.count - i {
			_, off = c.before(off)
		}
		return off
	}
	off := c.head
	for range i {
		_, off = c.at(off)
	}
	return off
}

// cut removes the element at offset off.
func (c *chunk) cut(off int32) {
	_, next := c.at(off)
	copy(c.buf[off:], c.buf[next:c.tail])
	c.tail -= next - off
	c.count--
}

// fits reports whether an element can be put between others.
func (c *chunk) fits(elem []byte) bool { return c.used()+slotSize(elem) <= chunkSize }

// insert puts an element that fits before the one at offset off.
func (c *chunk) insert(off int32, elem []byte) {
	size := slotSize(elem)
	before := off - c.head
	if len(c.buf)-int(c.tail) < size {
		c.grow(size, Back)
		off = c.head + before
	}
	copy(c.buf[int(off)+size:], c.buf[off:c.tail])
	putSlot(c.buf[off:int(off)+size], elem)
	c.tail += int32(size)
	c.count++
}

// split moves the elements from offset off on to a chunk of their own.
func (c *chunk) split(off int32) (right chunk) {
	right.buf = bytes.Clone(c.buf[off:c.tail])
	right.tail = c.tail - off
	for at := off; at < c.tail; right.count++ {
		_, at = c.at(at)
	}
	c.tail = off
	c.count -= right.count
	return right
}

// join adds the elements of another chunk behind those of c; together they must fit.
func (c *chunk) join(right *chunk) {
	joined := newChunk(chunkSize, Back)
	n := copy(joined.buf, c.buf[c.head:c.tail])
	n += copy(joined.buf[n:], right.buf[right.head:right.tail])
	joined.tail, joined.count = int32(n), c.count+right.count
	*c = joined
}

// clone copies a chunk without spare room.
func (c *chunk) clone() chunk {
	return chunk{buf: bytes.Clone(c.buf[c.head:c.tail]), tail: c.tail - c.head, count: c.count}
}
