package control

import (
	"time"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/locks"
)

// The replies of LOCK.* are maps. What is not known, or does not apply, is left out.

// fields collects the fields of a map.
type fields []resp.Value

// maxFields is room for the names and the values of most maps.
const maxFields = 2 * 8

func (f *fields) add(name string, v resp.Value) { *f = append(*f, resp.BulkString(name), v) }

func (f *fields) text(name, s string) {
	if s != "" {
		f.add(name, resp.BulkString(s))
	}
}

func (f *fields) number(name string, n int64) { f.add(name, resp.Int(n)) }

// lease adds a duration in ms, -1 for one without an end.
func (f *fields) lease(d time.Duration) { f.number("lease", leaseMillis(d)) }

func leaseMillis(d time.Duration) int64 {
	if d == locks.Forever {
		return -1
	}
	return d.Milliseconds()
}

// time adds a time in ms since 1970.
func (f *fields) time(name string, t time.Time) {
	if !t.IsZero() {
		f.number(name, t.UnixMilli())
	}
}

func (f *fields) client(c locks.Client) {
	if c.ID != 0 {
		f.number("client-id", c.ID)
	}
	f.text("client-name", c.Name)
	f.text("client-addr", c.Addr)
	f.text("client-lib", c.Library)
}

func (f *fields) value() resp.Value { return resp.Map(*f...) }

// valueMemory is where maps and arrays are made, and encoded.
type valueMemory struct {
	used []resp.Value
	out  []byte // room for what is encoded next
}

// chunkBytes is how much memory for encoded values is allocated at a time, maxBytes what most values need.
const (
	chunkBytes = 64 << 10
	maxBytes   = 1 << 10
)

// encoded returns an encoded value. The memory of all values that were made before serves for others.
func (m *valueMemory) encoded(v resp.Value, proto int) resp.Value {
	if cap(m.out) < maxBytes {
		m.out = make([]byte, 0, chunkBytes)
	}
	encoded := resp.Append(m.out, v, proto)
	m.used, m.out = m.used[:0], encoded[len(encoded):]
	return resp.Encoded(encoded)
}

// take returns an empty slice with room for n values.
func (m *valueMemory) take(n int) []resp.Value {
	start := len(m.used)
	if cap(m.used) < start+n {
		m.used, start = make([]resp.Value, 0, n+cap(m.used)), 0
	}
	m.used = m.used[:start+n]
	return m.used[start:start:len(m.used)]
}

func (m *valueMemory) fields() fields { return m.take(maxFields) }

// arrayOf returns the values of a list.
func arrayOf[T any](m *valueMemory, list []T, value func(*valueMemory, *T) resp.Value) resp.Value {
	values := m.take(len(list))
	for i := range list {
		values = append(values, value(m, &list[i]))
	}
	return resp.Array(values...)
}

func lockValue(m *valueMemory, l *locks.Lock) resp.Value {
	f := lockFields(m, l)
	return f.value()
}

func lockFields(m *valueMemory, l *locks.Lock) fields {
	f := m.fields()
	f.text("name", l.Name)
	f.text("kind", string(l.Kind))
	f.text("mode", l.Mode)
	if l.Held() {
		f.lease(l.Lease)
	}
	if name := l.Kind.NumberName(); name != "" {
		f.number(name, l.Number)
	}
	f.add("holders", arrayOf(m, l.Holders, holderValue))
	f.add("waiters", arrayOf(m, l.Waiters, waiterValue))
	return f
}

func holderValue(m *valueMemory, h *locks.Holder) resp.Value {
	f := m.fields()
	f.text("owner", h.Owner)
	f.text("value", h.Value)
	f.number("holds", h.Holds)
	if h.Write {
		f.text("mode", "write")
	}
	f.lease(h.Lease)
	f.time("since", h.Since)
	f.client(h.Client)
	return f.value()
}

func waiterValue(m *valueMemory, w *locks.Waiter) resp.Value {
	f := m.fields()
	f.text("owner", w.Owner)
	f.time("deadline", w.Deadline)
	f.time("since", w.Since)
	f.client(w.Client)
	return f.value()
}

func waitValue(m *valueMemory, w *locks.Wait) resp.Value {
	f := m.fields()
	f.text("owner", w.Owner)
	f.text("holds", w.Held)
	f.text("waits-for", w.Lock)
	f.number("db", int64(w.DB))
	return f.value()
}

func eventValue(m *valueMemory, e *locks.Event) resp.Value {
	f := m.fields()
	f.text("event", string(e.Type))
	f.time("time", e.Time)
	f.text("kind", string(e.Kind))
	f.text("mode", e.Mode)
	f.text("owner", e.Owner)
	f.number("holds", e.Holds)
	f.lease(e.Lease)
	f.client(e.Client)
	if e.Lost {
		f.add("lost", resp.Bool(true))
	}
	return f.value()
}
