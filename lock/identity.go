package lock

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"
	"sync/atomic"
)

// identity generates the names of a client on the server: Redisson's uuid:threadId for each lock call, and 32
// hexadecimal digits for each unlock.
type identity struct {
	uuid   string
	owners atomic.Uint64
	latch  string // 16 random digits, followed by the count
	unlock atomic.Uint64
}

// newIdentity makes a random UUID (version 4), in lower case as Java's.
func newIdentity() *identity {
	var b [24]byte
	_, _ = rand.Read(b[:]) // crypto/rand never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	h := hex.EncodeToString(b[:])
	return &identity{uuid: h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:32], latch: h[32:48]}
}

// owner returns a new name. In place of Java's thread ID it has a number for each handle, since goroutines have no ID.
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
