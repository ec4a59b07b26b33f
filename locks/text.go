package locks

import (
	"fmt"
	"strings"
	"time"
)

// String describes a lock in one line, for the message of a failed test: its holders, and since when and by which
// connections they hold it as far as that is known.
func (l Lock) String() string {
	text := fmt.Sprintf("%q (%s)", l.Name, l.Kind)
	if l.DB != 0 {
		text += fmt.Sprintf(" of database %d", l.DB)
	}
	if !l.Held() {
		return text + " is not held"
	}
	holders := make([]string, len(l.Holders))
	for i, h := range l.Holders {
		holders[i] = h.String()
	}
	text += " is held by " + strings.Join(holders, ", and by ")
	if n := len(l.Waiters); n > 0 {
		text += fmt.Sprintf("; %d waiting", n)
	}
	return text
}

// String describes a holder.
func (h Holder) String() string {
	text := h.Owner
	if h.Holds > 1 {
		text += fmt.Sprintf(" %d times", h.Holds)
	}
	if !h.Since.IsZero() {
		text += " since " + h.Since.Format("15:04:05.000")
	}
	if h.Client.ID != 0 {
		text += ", which took it by connection " + h.Client.String()
	}
	if h.Lease != Forever {
		text += fmt.Sprintf(", %v left", h.Lease.Round(time.Millisecond))
	}
	return text
}

// String names a connection as CLIENT LIST does.
func (c Client) String() string {
	text := fmt.Sprintf("id=%d addr=%s", c.ID, c.Addr)
	if c.Name != "" {
		text += " name=" + c.Name
	}
	if c.Library != "" {
		text += " lib=" + c.Library
	}
	return text
}

// String describes an event in one line: when, what, and which connection it was.
func (e Event) String() string {
	text := fmt.Sprintf("%s %s %q", e.Time.Format("15:04:05.000"), e.Type, e.Lock)
	if e.Owner != "" {
		text += " by " + e.Owner
	}
	text += fmt.Sprintf(", holds %d", e.Holds)
	if e.Lease > 0 && e.Lease != Forever {
		text += fmt.Sprintf(", lease %v", e.Lease)
	}
	if e.Client.ID != 0 {
		text += ", " + e.Client.String()
	}
	if e.Lost {
		text += ", lost"
	}
	return text
}
