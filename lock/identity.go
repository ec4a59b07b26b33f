package lock

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"
	"sync/atomic"
)

// identity makes the names under which a client appears on the server: Redisson's uuid:threadId for each acquisition,
// and 32 hexadecimal digits for each unlock.
type identity struct {
	uuid   string
	owners atomic.Uint64
	latch  string // 16 digits of its own, before the count
	unlock atomic.Uint64
}

// newIdentity draws a random UUID (version 4), lower-case as Java's.
func newIdentity() *identity {
	var b [24]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	h := hex.EncodeToString(b[:])
	return &identity{uuid: h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:32], latch: h[32:48]}
}

// owner is a name that no other acquisition has had. A thread number stands where Java has one; goroutines have none,
// and the handle takes their place.
func (i *identity) owner() string {
	var b [64]byte
	s := append(b[:0], i.uuid...)
	s = append(s, ':')
	return string(strconv.AppendUint(s, i.owners.Add(1), 10))
}

// appendRequest adds the 32 digits of a new unlock request.
func (i *identity) appendRequest(b []byte) []byte {
	const digits = "0123456789abcdef"
	b = append(b, i.latch...)
	n := i.unlock.Add(1)
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, digits[n>>shift&15])
	}
	return b
}
