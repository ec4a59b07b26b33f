package command

import (
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/resp"
)

// Client-side caching: a client that has called CLIENT TRACKING is told when keys change that it has read, or keys with
// certain prefixes. (Redis documentation: client-side caching.)

// tracking knows which clients track, and which keys they may hold. The zero value is ready; it is safe for concurrent use.
// Where nobody tracks, a change costs one load and a read one test of a field of its session.
type tracking struct {
	clients atomic.Int32 // that have called CLIENT TRACKING ON

	mu       sync.Mutex                       // guards what follows, and the trackers
	keys     map[string]map[*tracker]struct{} // who has read a key; the database does not matter
	items    int                              // trackers in keys
	trackers map[*tracker]struct{}
}

// trackMode is the options of CLIENT TRACKING, and what CLIENT CACHING has said about the next command.
type trackMode uint8

const (
	trackBroadcast trackMode = 1 << iota // BCAST
	trackOptIn
	trackOptOut
	trackNoLoop
	trackCaching // CLIENT CACHING was called
	trackBroken  // REDIRECT's client is gone
)

// tracker is a client that tracks. It stays that of its session when tracking is turned off and on again.
type tracker struct {
	session  *Session
	on       bool
	mode     trackMode
	redirect *Session // who gets the messages; nil for the client itself
	prefixes []string // of BCAST
}

// remember notes that the tracker has read keys. No more than limit are remembered, if that is not 0.
func (t *tracking) remember(of *tracker, keys []string, limit int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keys == nil {
		t.keys = make(map[string]map[*tracker]struct{})
	}
	for _, key := range keys {
		if t.keys[key] == nil {
			t.keys[key] = make(map[*tracker]struct{})
		}
		if _, twice := t.keys[key][of]; !twice {
			t.keys[key][of] = struct{}{}
			t.items++
		}
	}
	t.shrinkLocked(limit)
}

// shrink forgets keys beyond the limit.
func (t *tracking) shrink(limit int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shrinkLocked(limit)
}

// shrinkLocked forgets keys beyond the limit, whichever; their trackers are told, so that they forget them too.
func (t *tracking) shrinkLocked(limit int) {
	for key := range t.keys {
		if limit == 0 || len(t.keys) <= limit {
			return
		}
		t.invalidateLocked(key, nil)
	}
}

// changed tells those who have read the keys, or listen to their prefixes, that they have changed. by is the session that did
// it; nil if it was time.
func (t *tracking) changed(keys []string, by *Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for of := range t.trackers {
		if of.on && of.mode&trackBroadcast != 0 && !of.loops(by) {
			of.broadcast(keys)
		}
	}
	for _, key := range keys {
		t.invalidateLocked(key, by)
	}
}

// invalidateLocked tells those who have read a key, and forgets that they did.
func (t *tracking) invalidateLocked(key string, by *Session) {
	for of := range t.keys[key] {
		if of.on && of.mode&trackBroadcast == 0 && !of.loops(by) {
			of.send(resp.Array(resp.BulkString(key)))
		}
	}
	t.items -= len(t.keys[key])
	delete(t.keys, key)
}

// flushed tells every tracker that all keys are gone.
func (t *tracking) flushed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for of := range t.trackers {
		if of.on {
			of.send(resp.Null)
		}
	}
	t.keys, t.items = nil, 0
}

// loops reports whether a change is the tracker's own and not to be told.
func (of *tracker) loops(by *Session) bool { return of.mode&trackNoLoop != 0 && of.session == by }

// send tells what has become invalid: to the client itself if it speaks RESP3, or to the one it has named.
func (of *tracker) send(keys resp.Value) {
	l := invalidates(keys)
	if of.redirect == nil {
		l.message = resp.None
	}
	of.post(l)
}

// invalidates is the pendingPush that tells of keys, nil for all.
func invalidates(keys resp.Value) pendingPush {
	return pendingPush{
		push:    resp.Push(resp.BulkString("invalidate"), keys),
		message: resp.Push(resp.BulkString("message"), resp.BulkString("__redis__:invalidate"), keys),
	}
}

// post gives a pendingPush to the one who gets the messages; if he is gone the client itself is told that.
func (of *tracker) post(l pendingPush) {
	to := of.session
	switch {
	case of.redirect == nil:
	case of.redirect.info.gone.Load():
		of.mode |= trackBroken
		l = pendingPush{push: resp.Push(resp.BulkString("tracking-redir-broken"), resp.Int(of.redirect.ID))}
	default:
		to = of.redirect
	}
	to.pushes.put(to, l)
}

// drop forgets the tracker of a session that goes away.
func (t *tracking) drop(of *tracker) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.offLocked(of)
	delete(t.trackers, of)
}

func (t *tracking) offLocked(of *tracker) {
	if of.on && t.clients.Add(-1) == 0 {
		t.keys, t.items = nil, 0
	}
	of.on, of.mode, of.redirect, of.prefixes = false, 0, nil, nil
}

// trackingCounts is what INFO tells.
type trackingCounts struct{ clients, keys, items, prefixes int }

func (t *tracking) counts() trackingCounts {
	t.mu.Lock()
	defer t.mu.Unlock()
	prefixes := make(map[string]struct{})
	for of := range t.trackers {
		for _, prefix := range of.prefixes {
			prefixes[prefix] = struct{}{}
		}
	}
	return trackingCounts{int(t.clients.Load()), len(t.keys), t.items, len(prefixes)}
}
