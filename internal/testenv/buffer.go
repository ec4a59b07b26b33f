package testenv

import (
	"bytes"
	"sync"
)

// Buffer collects the log of a server or the output of a process, and can be read while more is written. It is safe for
// concurrent use; the zero value is empty.
type Buffer struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

// Write implements io.Writer.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String is all that was written.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
