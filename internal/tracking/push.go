package tracking

import (
	"maps"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/resp"
)

// Push is a message in RESP3, and in RESP2 for a client that has subscriptions; None where there is none.
type Push struct {
	RESP3, RESP2 resp.Value
	broadcast    *broadcast // instead of these; see Merge
}

// Waits reports whether the push must wait until the commands that the client has sent so far are served.
func (p *Push) Waits() bool { return p.broadcast != nil }

// invalidates returns the push that the keys are invalid; all keys are if keys is null (FLUSHALL). In RESP2 it is a
// message of the channel __redis__:invalidate.
func invalidates(keys resp.Value) Push {
	return Push{
		RESP3: resp.Push(resp.BulkString("invalidate"), keys),
		RESP2: resp.Push(resp.BulkString("message"), resp.BulkString("__redis__:invalidate"), keys),
	}
}

// broadcast is the keys of one prefix that have changed. As in Redis it waits until the commands that have been
// received are served; all keys of the prefix that change until then are one message, sorted.
type broadcast struct {
	tracker    *Tracker
	prefix     string
	keys       map[string]struct{}
	redirected bool
}

// broadcast pushes the changed keys to a client in BCAST mode: one push for each of its prefixes that one of the keys
// begins with. The caller holds the mutex of the table.
func (t *Tracker) broadcast(keys []string) {
	for _, prefix := range t.state.Prefixes {
		b := &broadcast{tracker: t, prefix: prefix, keys: map[string]struct{}{}, redirected: t.state.Redirect != nil}
		for _, key := range keys {
			if strings.HasPrefix(key, prefix) {
				b.keys[key] = struct{}{}
			}
		}
		if len(b.keys) > 0 {
			t.put(Push{broadcast: b})
		}
	}
}

// push returns the message about the keys. A RESP2 client can only get it for another client (REDIRECT).
func (b *broadcast) push() Push {
	p := invalidates(resp.Strings(slices.Sorted(maps.Keys(b.keys))))
	if !b.redirected {
		p.RESP2 = resp.None
	}
	return p
}

// Merge merges the pushes that had to wait into one for each tracker and prefix, in the order of the prefixes.
func Merge(waiting []Push) (pushes []Push) {
	var all []*broadcast
	for _, p := range waiting {
		b := p.broadcast
		i := slices.IndexFunc(all, func(o *broadcast) bool {
			return o.tracker == b.tracker && o.prefix == b.prefix && o.redirected == b.redirected
		})
		if i < 0 {
			all = append(all, b)
			continue
		}
		maps.Copy(all[i].keys, b.keys)
	}
	slices.SortStableFunc(all, func(a, b *broadcast) int { return strings.Compare(a.prefix, b.prefix) })
	for _, b := range all {
		pushes = append(pushes, b.push())
	}
	return pushes
}
