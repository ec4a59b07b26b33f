package store

import (
	"fmt"
	"slices"
	"testing"

	"github.com/minilockd/minilockd/expiry"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/require"
)

// brokenStore is a store with a value of each type in each form, for a test to break.
type brokenStore struct{ *Store }

func newBrokenStore(t *testing.T) brokenStore {
	st := brokenStore{New(clock.NewOffset(clock.Real{}), 16)}
	t.Cleanup(st.Close)
	tx := st.NewTx()
	tx.Do(All, false, func() {
		for key, v := range map[string]Value{
			"string": NewString([]byte("v")), "list": NewList(), "set": NewSet(), "stream": NewStream(),
			"hash": fillHash(st.thresholds, 3), "hash table": fillHash(st.thresholds, 600),
			"ints": fillSet(st.thresholds, 3), "set table": fillSet(st.thresholds, 600),
			"zset": fillZSet(st.thresholds, 3), "zset tree": fillZSet(st.thresholds, 700),
		} {
			tx.Put([]byte(key), v, false)
		}
		tx.SetExpire([]byte("string"), tx.Now()+1000_000)
		for i := range 2000 {
			valueOf[*List](st, "list").Push(fmt.Append(nil, i), Back)
		}
		valueOf[*Set](st, "set").Add([]byte("a"))
		valueOf[*Set](st, "set").Add([]byte("b"))
		for i := range 3 {
			h := valueOf[*Hash](st, "hash")
			tx.ExpireField([]byte("hash"), h, fmt.Append(nil, i), tx.Now()+1000_000*int64(i+1))
		}
		fillStream(valueOf[*Stream](st, "stream"), st.thresholds)
	}, func() {})
	require.NoError(t, st.Check())
	return st
}

// fillStream makes a stream of several chunks, with groups and pending entries.
func fillStream(s *Stream, t *Thresholds) {
	for i := range 300 {
		s.Append(t, StreamID{uint64(i + 1), 0}, [][]byte{[]byte("field"), []byte("value")})
	}
	for i := range 100 {
		s.AddGroup(fmt.Append(nil, i), StreamID{}, 0)
	}
	g := s.Group([]byte("0"))
	c := g.AddConsumer([]byte("c"), 0)
	g.AddConsumer([]byte("d"), 0)
	for i := range 100 {
		g.Deliver(StreamID{uint64(i + 1), 0}, c, 0, 1)
	}
}

func (st brokenStore) shard(key string) *shard    { return &st.shards[shardOf([]byte(key))] }
func (st brokenStore) space(key string) *keyspace { return st.shard(key).space(0) }
func (st brokenStore) node(key string) *node[item] {
	return st.space(key).dict.get([]byte(key))
}

func valueOf[V Value](st brokenStore, key string) V { return st.node(key).val.value().(V) }

// wait puts a waiter into the queue of a key.
func (st brokenStore) wait(key string, w *Waiter) {
	w.Kind = (*List)(nil)
	if w.Done == nil {
		w.Done = func() bool { return false }
	}
	tx := st.NewTx()
	tx.Do(All, false, func() { tx.Await(w, [][]byte{[]byte(key)}) }, func() {})
}

// requireReports requires that Check reports each violation that a function makes, in the words that are its key.
func requireReports(t *testing.T, breaks map[string]func(st brokenStore)) {
	for want, f := range breaks {
		t.Run(want, func(t *testing.T) {
			st := newBrokenStore(t)
			f(st)
			require.ErrorContains(t, st.Check(), want)
		})
	}
}

func TestStore_Check_ReportsBrokenKeys(t *testing.T) {
	requireReports(t, map[string]func(st brokenStore){
		"17 databases of 16": func(st brokenStore) { st.shards[0].spaces = make([]*keyspace, 17) },
		"wrong shard": func(st brokenStore) {
			other := &st.shards[(shardOf([]byte("string"))+1)%shardCount]
			other.makeSpace(0).dict.insert(hashString("string"), newNode([]byte("string")))
		},
		"has no value":          func(st brokenStore) { st.node("string").val.val = nil },
		"open for a change":     func(st brokenStore) { st.node("string").val.setOpened(true) },
		"bytes in use":          func(st brokenStore) { st.space("list").bytes++ },
		"bytes in use, 0":       func(st brokenStore) { st.shards[5].makeSpace(3).bytes = 7 },
		"1 keys with an expiry": func(st brokenStore) { st.space("string").wheel = expiry.Wheel[node[item]]{} },
		"later than a timer":    func(st brokenStore) { st.shard("string").due.Store(never) },
		"a timer of key": func(st brokenStore) {
			n := newNode([]byte("other"))
			ks := st.space("string")
			ks.wheel.Drop(&st.node("string").val.timer)
			ks.wheel.Set(&n.val.timer, n, 5)
			st.node("string").val.timer = n.val.timer
		},
		"wrong bucket": func(st brokenStore) {
			b := valueOf[*Hash](st, "hash table").table().buckets
			i := slices.IndexFunc(b, func(n *node[[]byte]) bool { return n != nil })
			b[i], b[i+1] = b[i+1], b[i]
		},
		"a table of 3 buckets": func(st brokenStore) {
			d := &valueOf[*Hash](st, "hash").deadlines().fields
			d.buckets = append(d.buckets[:2:2], nil)
		},
		"elements in a table of": func(st brokenStore) { valueOf[*Set](st, "set table").table.members.count = 5000 },
		"elements in a table,":   func(st brokenStore) { valueOf[*Set](st, "set table").table.members.count++ },
		"bytes in use, ": func(st brokenStore) {
			st.limits.Store(&Limits{Memory: 1000})
		},
	})
}

func TestStore_Check_ReportsBrokenClients(t *testing.T) {
	k := dbKey{0, "key"}
	requireReports(t, map[string]func(st brokenStore){
		"queue of key \"key\" is empty": func(st brokenStore) {
			st.shard("key").waiters.byKey = map[dbKey][]*Waiter{k: nil}
		},
		"queue of key \"key\" is in the wrong shard": func(st brokenStore) {
			st.shards[(shardOf([]byte("key"))+1)%shardCount].waiters.byKey = map[dbKey][]*Waiter{k: nil}
		},
		"is gone waits": func(st brokenStore) { st.wait("key", &Waiter{Done: func() bool { return true }}) },
		"out of order": func(st brokenStore) {
			st.wait("key", new(Waiter))
			st.wait("key", new(Waiter))
			st.shard("key").waiters.byKey[k][0].order = 9
		},
		"without knowing": func(st brokenStore) {
			w := new(Waiter)
			st.wait("key", w)
			w.keys = nil
		},
		"1 clients wait for values of kind 2, 0 found": func(st brokenStore) {
			st.wait("key", new(Waiter))
			delete(st.shard("key").waiters.byKey, k)
		},
		"0 clients wait for values of kind 2, 1 found": func(st brokenStore) {
			st.wait("key", new(Waiter))
			st.waiting.byKind[kindList].Store(0)
		},
		"1 watched keys, 0 found": func(st brokenStore) { st.shard("key").watched.count.Store(1) },
		"set of clients that watch key": func(st brokenStore) {
			st.shard("key").watched.keys = map[dbKey]map[*Watch]struct{}{k: {}}
			st.shard("key").watched.count.Store(1)
		},
		"the watch of key": func(st brokenStore) {
			st.shards[(shardOf([]byte("key"))+1)%shardCount].watched.add(k, new(Watch))
		},
	})
}

func TestStore_Check_ReportsBrokenHashes(t *testing.T) {
	deadlines := func(st brokenStore) *fieldDeadlines { return valueOf[*Hash](st, "hash").deadlines() }
	requireReports(t, map[string]func(st brokenStore){
		"empty hash":      func(st brokenStore) { st.node("string").val.setValue(NewHash()) },
		"both packed":     func(st brokenStore) { valueOf[*Hash](st, "hash table").small = packed("\x01a\x01b") },
		"bytes in a hash": func(st brokenStore) { valueOf[*Hash](st, "hash table").table().bytes++ },
		"without a value": func(st brokenStore) {
			h := valueOf[*Hash](st, "hash")
			h.small = append(h.small, 1, 'x')
		},
		"is there twice": func(st brokenStore) {
			h := valueOf[*Hash](st, "hash")
			h.small = h.small.appended([]byte("1")).appended([]byte("2"))
		},
		"beyond the end": func(st brokenStore) {
			h := valueOf[*Hash](st, "hash")
			h.small = h.small[:len(h.small)-1]
		},
		"and none in it":  func(st brokenStore) { deadlines(st).ordered = nil },
		"2 deadlines":     func(st brokenStore) { d := deadlines(st); d.ordered = d.ordered[:2] },
		"is misplaced":    func(st brokenStore) { deadlines(st).ordered[1].field.val = 2 },
		"is out of order": func(st brokenStore) { deadlines(st).ordered[2].when = 5 },
		"a deadline of field": func(st brokenStore) {
			h := valueOf[*Hash](st, "hash")
			h.small = h.small.cut(0, h.small.skip(0, 2))
		},
		"that of another key":     func(st brokenStore) { deadlines(st).holder = st.node("list") },
		"too late or never":       func(st brokenStore) { deadlines(st).ordered[0].when-- },
		"and no wheel":            func(st brokenStore) { st.space("hash").fields = nil; deadlines(st).wheel = nil },
		"1 hashes with deadlines": func(st brokenStore) { *st.space("hash").fields = expiry.Wheel[fieldDeadlines]{} },
	})
}

func TestStore_Check_ReportsBrokenLists(t *testing.T) {
	list := func(st brokenStore) *List { return valueOf[*List](st, "list") }
	requireReports(t, map[string]func(st brokenStore){
		"empty list":          func(st brokenStore) { st.node("string").val.setValue(Bind(NewList(), st.thresholds)) },
		"a list does not":     func(st brokenStore) { list(st).in = nil },
		"before the first":    func(st brokenStore) { list(st).first = 1 },
		"elements in a list":  func(st brokenStore) { list(st).count++ },
		"bytes in a list":     func(st brokenStore) { list(st).bytes++ },
		"an empty chunk":      func(st brokenStore) { list(st).chunks[1].count = 0 },
		"elements in a chunk": func(st brokenStore) { list(st).chunks[1].count-- },
		"differs":             func(st brokenStore) { c := &list(st).chunks[0]; c.buf[c.tail-1] = 0 },
		"a chunk of 2 elements and": func(st brokenStore) {
			list(st).chunks[0] = chunk{buf: make([]byte, 5000), tail: 5000, count: 2}
		},
	})
}

func TestStore_Check_ReportsBrokenSets(t *testing.T) {
	set := func(st brokenStore, key string) *Set { return valueOf[*Set](st, key) }
	requireReports(t, map[string]func(st brokenStore){
		"empty set":           func(st brokenStore) { st.node("string").val.setValue(Bind(NewSet(), st.thresholds)) },
		"a set does not know": func(st brokenStore) { set(st, "ints").in = nil },
		"a set of form 2": func(st brokenStore) {
			set(st, "ints").form = setInTable
			set(st, "ints").table = nil
			set(st, "ints").count = 3
		},
		"integers in a set":   func(st brokenStore) { set(st, "ints").count++ },
		"of a set are out of": func(st brokenStore) { set(st, "ints").small[0] = 200 },
		"members in a packed": func(st brokenStore) { set(st, "set").count++ },
		"is there twice":      func(st brokenStore) { set(st, "set").append([]byte("a")) },
		"both packed":         func(st brokenStore) { set(st, "set table").count = 1 },
		"bytes in a set":      func(st brokenStore) { set(st, "set table").table.bytes++ },
	})
}

func TestStore_Check_ReportsBrokenSortedSets(t *testing.T) {
	zset := func(st brokenStore, key string) *ZSet { return valueOf[*ZSet](st, key) }
	root := func(st brokenStore) *rankNode { return zset(st, "zset tree").big.order.root }
	requireReports(t, map[string]func(st brokenStore){
		"empty sorted set": func(st brokenStore) {
			st.node("string").val.setValue(Bind(NewZSet(), st.thresholds))
		},
		"does not know":     func(st brokenStore) { zset(st, "zset").in = nil },
		"both packed":       func(st brokenStore) { zset(st, "zset tree").small.count = 1 },
		"packed sorted set": func(st brokenStore) { zset(st, "zset").small.count++ },
		"has no score": func(st brokenStore) {
			z := &zset(st, "zset").small
			z.b = z.b.appended([]byte("x"))
			z.count++
		},
		"not a number": func(st brokenStore) {
			z := zset(st, "zset").small.b
			copy(z[len(z)-2:], "\xff\x7f")
			z[len(z)-3] = 1
		},
		"of a sorted set are": func(st brokenStore) {
			zset(st, "zset").small.b[1] = 'x'
			zset(st, "zset").small.b[9] = 0x7f
		},
		"bytes in a sorted set": func(st brokenStore) { zset(st, "zset tree").big.bytes++ },
		"with 1000 slots":       func(st brokenStore) { leaf(root(st)).entries = make([]rankEntry, 1000) },
		"both a leaf and a":     func(st brokenStore) { root(st).entries = make([]rankEntry, 1) },
		"an empty child":        func(st brokenStore) { leaf(root(st)).entries = nil },
		"is wrong about child":  func(st brokenStore) { root(st).children[0].count++ },
		"not equally deep": func(st brokenStore) {
			child := &root(st).children[1]
			*child = (&rankNode{children: []rankChild{*child}}).asChild()
		},
		"a rank and no score": func(st brokenStore) {
			e := &leaf(root(st)).entries[5]
			e.n = &node[float64]{key: "none", val: e.score}
		},
		"and rank of": func(st brokenStore) { leaf(root(st)).entries[5].score += 0.5 },
		"700 members with scores, 699 with ranks": func(st brokenStore) {
			z := zset(st, "zset tree").big
			z.order.remove(rankEntry{7, z.scores.get([]byte("7"))})
		},
	})
}

// leaf is the first leaf below a node.
func leaf(n *rankNode) *rankNode {
	for n.children != nil {
		n = n.children[0].node
	}
	return n
}

func TestStore_Check_ReportsBrokenStreams(t *testing.T) {
	stream := func(st brokenStore) *Stream { return valueOf[*Stream](st, "stream") }
	group := func(st brokenStore) *StreamGroup { return stream(st).Group([]byte("0")) }
	requireReports(t, map[string]func(st brokenStore){
		"begins before":             func(st brokenStore) { stream(st).chunks[1].base = StreamID{} },
		"entries in a stream":       func(st brokenStore) { stream(st).length++ },
		"bytes in a stream":         func(st brokenStore) { stream(st).bytes++ },
		"of a stream is behind its": func(st brokenStore) { stream(st).last = StreamID{5, 0} },
		"of a chunk is behind its":  func(st brokenStore) { stream(st).chunks[0].top = StreamID{5, 0} },
		"entries in a chunk,":       func(st brokenStore) { stream(st).chunks[0].count-- },
		"ever added":                func(st brokenStore) { stream(st).chunks[0].added = 0 },
		"entry 1-0 is out of order": func(st brokenStore) { stream(st).chunks[0].base.Seq = 9 },
		"in the groups of a stream": func(st brokenStore) { stream(st).groupBytes++ },
		"that of another stream":    func(st brokenStore) { group(st).stream = NewStream() },
		"and not in its group":      func(st brokenStore) { group(st).pending.remove(StreamID{5, 0}) },
		"for two consumers": func(st brokenStore) {
			group(st).PendingAt(StreamID{5, 0}).consumer = group(st).Consumer([]byte("d"))
		},
		"at its consumers":        func(st brokenStore) { group(st).Consumer([]byte("c")).pending.remove(StreamID{5, 0}) },
		"has a root, or has none": func(st brokenStore) { group(st).pending.count = 0 },
		"keys in an ordered map":  func(st brokenStore) { group(st).pending.count++ },
		"ordered map are out of": func(st brokenStore) {
			keys := group(st).pending.root.children[0].keys
			keys[1], keys[2] = keys[2], keys[1]
		},
		"ordered map with 0 keys": func(st brokenStore) { group(st).pending.root.keys = nil },
		"a leaf with": func(st brokenStore) {
			leaf := group(st).pending.root.children[0]
			leaf.vals = leaf.vals[:3]
		},
		"a branch with": func(st brokenStore) {
			root := group(st).pending.root
			root.children = root.children[:1]
		},
		"behind its first": func(st brokenStore) { group(st).pending.root.keys[1] = MaxStreamID },
		"map are not equally deep": func(st brokenStore) {
			root := group(st).pending.root
			root.children[1] = &orderedNode[StreamID, *PendingEntry]{keys: root.keys[1:2], children: root.children[1:2:2]}
			root.children[1].children = []*orderedNode[StreamID, *PendingEntry]{deepCopy(root.children[2])}
			root.children[1].keys = []StreamID{root.children[1].children[0].keys[0]}
		},
	})
}

func deepCopy(n *orderedNode[StreamID, *PendingEntry]) *orderedNode[StreamID, *PendingEntry] {
	c := *n
	return &c
}
