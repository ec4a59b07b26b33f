package locks

import (
	"encoding/json"
	"time"
)

// In JSON the names are those of the replies of LOCK.LIST and LOCK.HISTORY: times are in ms since 1970, leases in ms,
// -1 for one without an end.

// MarshalJSON implements json.Marshaler.
func (l Lock) MarshalJSON() ([]byte, error) {
	out := struct {
		DB      int      `json:"db"`
		Name    string   `json:"name"`
		Kind    Kind     `json:"kind"`
		Mode    string   `json:"mode,omitempty"`
		Lease   *int64   `json:"lease,omitempty"`
		Permits *int64   `json:"permits,omitempty"`
		Count   *int64   `json:"count,omitempty"`
		Token   *int64   `json:"token,omitempty"`
		Holders []Holder `json:"holders"`
		Waiters []Waiter `json:"waiters"`
	}{DB: l.DB, Name: l.Name, Kind: l.Kind, Mode: l.Mode, Holders: orEmpty(l.Holders), Waiters: orEmpty(l.Waiters)}
	if l.Held() {
		out.Lease = millis(l.Lease)
	}
	switch l.Kind.NumberName() {
	case "permits":
		out.Permits = &l.Number
	case "count":
		out.Count = &l.Number
	case "token":
		out.Token = &l.Number
	}
	return json.Marshal(out)
}

// MarshalJSON implements json.Marshaler.
func (h Holder) MarshalJSON() ([]byte, error) {
	mode := ""
	if h.Write {
		mode = "write"
	}
	return json.Marshal(struct {
		Owner string `json:"owner"`
		Value string `json:"value,omitempty"`
		Holds int64  `json:"holds"`
		Mode  string `json:"mode,omitempty"`
		Lease *int64 `json:"lease"`
		Since *int64 `json:"since,omitempty"`
		client
	}{h.Owner, h.Value, h.Holds, mode, millis(h.Lease), unixMillis(h.Since), client(h.Client)})
}

// MarshalJSON implements json.Marshaler.
func (w Waiter) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Owner    string `json:"owner,omitempty"`
		Deadline *int64 `json:"deadline,omitempty"`
		Since    *int64 `json:"since,omitempty"`
		client
	}{w.Owner, unixMillis(w.Deadline), unixMillis(w.Since), client(w.Client)})
}

// MarshalJSON implements json.Marshaler.
func (e Event) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type  EventType `json:"event"`
		Time  *int64    `json:"time"`
		DB    int       `json:"db"`
		Lock  string    `json:"lock"`
		Kind  Kind      `json:"kind"`
		Mode  string    `json:"mode,omitempty"`
		Owner string    `json:"owner,omitempty"`
		Holds int64     `json:"holds"`
		Lease *int64    `json:"lease"`
		Lost  bool      `json:"lost,omitempty"`
		client
	}{e.Type, unixMillis(e.Time), e.DB, e.Lock, e.Kind, e.Mode, e.Owner, e.Holds, millis(e.Lease), e.Lost,
		client(e.Client)})
}

// MarshalJSON implements json.Marshaler.
func (w Wait) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Owner string `json:"owner"`
		Held  string `json:"holds"`
		Lock  string `json:"waits-for"`
		DB    int    `json:"db"`
	}{w.Owner, w.Held, w.Lock, w.DB})
}

// client is a Client whose fields stand among those of its holder, waiter or event.
type client struct {
	ID      int64  `json:"client-id,omitempty"`
	Name    string `json:"client-name,omitempty"`
	Addr    string `json:"client-addr,omitempty"`
	Library string `json:"client-lib,omitempty"`
}

func millis(d time.Duration) *int64 {
	ms := d.Milliseconds()
	if d == Forever {
		ms = -1
	}
	return &ms
}

func unixMillis(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	ms := t.UnixMilli()
	return &ms
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
