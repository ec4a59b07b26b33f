package command

import (
	"maps"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/resp"
)

// broadcast is what a client with CLIENT TRACKING BCAST is told of one prefix. As in Redis it waits until the commands that
// have come are served; what is told until then of the same prefix is one message, with the keys in order.
type broadcast struct {
	of         *tracker
	prefix     string
	keys       map[string]struct{}
	redirected bool
}

// broadcast sends the keys with each of the prefixes.
func (of *tracker) broadcast(keys []string) {
	for _, prefix := range of.prefixes {
		b := &broadcast{of: of, prefix: prefix, keys: map[string]struct{}{}, redirected: of.redirect != nil}
		for _, key := range keys {
			if strings.HasPrefix(key, prefix) {
				b.keys[key] = struct{}{}
			}
		}
		if len(b.keys) > 0 {
			of.post(pendingPush{broadcast: b})
		}
	}
}

// push is the message that tells of the keys.
func (b *broadcast) push() pendingPush {
	l := invalidates(resp.Strings(slices.Sorted(maps.Keys(b.keys))))
	if !b.redirected {
		l.message = resp.None
	}
	return l
}

// gathered are pushes in which each tracker tells of each of its prefixes once, in the order of the prefixes.
func gathered(late []pendingPush) (pushes []pendingPush) {
	var all []*broadcast
	for _, l := range late {
		b := l.broadcast
		i := slices.IndexFunc(all, func(o *broadcast) bool {
			return o.of == b.of && o.prefix == b.prefix && o.redirected == b.redirected
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
