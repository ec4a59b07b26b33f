package rdbfile

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/store"
)

// startMs is when a bubble of virtual time starts, in ms since the epoch.
const startMs = 946_684_800_000

// inStore calls f in a transaction of a new store, in a bubble of virtual time.
func inStore(t *testing.T, policy store.Policy, f func(tx *store.Tx)) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		st := store.New(clock.NewOffset(clock.Real{}), 16)
		defer st.Close()
		tx := st.NewTx()
		tx.Do(store.All, false, func() {
			limits := st.Limits()
			limits.Policy = policy
			tx.SetLimits(limits)
			f(tx)
		}, func() {})
	})
}

func fill(tx *store.Tx) {
	tx.Put([]byte("s"), store.NewString([]byte("v")), false)
	tx.SetExpire([]byte("s"), startMs+5)
	tx.SetIdle([]byte("s"), 70)
	tx.SetFrequency([]byte("s"), 9)
	tx.In(3, func() { tx.Put([]byte("long"), store.NewString([]byte(strings.Repeat("x", 100))), false) })
}

// The bytes are those of redis-server with the same facts.
func TestAppend(t *testing.T) {
	inStore(t, store.NoEviction, func(tx *store.Tx) {
		fill(tx)
		f := Facts{Server: emulate.Named("7.0"), MadeAt: startMs, Memory: 1000, Libraries: []string{"#!lua name=l\n"}}
		const head = "\xfa\x0aredis-bits\xc0\x40\xfa\x05ctime\xc2\x80\x43\x6d\x38\xfa\x08used-mem\xc1\xe8\x03"
		const functions = "\xf5\x0d#!lua name=l\n"
		const keys = "\xfe\x00\xfb\x01\x01\xfc\x05\xac\xcf\x6a\xdc\x00\x00\x00\x00\x01s\x01v" +
			"\xfe\x03\xfb\x01\x00\x00\x04long\xc3\x09\x40\x64\x01xx\xe0\x57\x00\x01xx"
		want := "REDIS0010\xfa\x09redis-ver\x067.0.15" + head + "\xfa\x08aof-base\xc0\x00" + functions + keys + "\xff"
		got := Append(nil, tx, &f)
		require.Equal(t, fmt.Sprintf("%q", want), fmt.Sprintf("%q", got[:len(got)-checksumSize]))

		f = Facts{Server: emulate.Named("valkey-9.1"), MadeAt: startMs, Memory: 1000, Libraries: f.Libraries, NoKeys: true,
			NoChecksum: true, Replication: &Replication{ID: "abc", Offset: 7, DB: 3}}
		want = "before VALKEY080\xfa\x0avalkey-ver\x059.1.2" + head + "\xfa\x0erepl-stream-db\xc0\x03\xfa\x07repl-id\x03abc" +
			"\xfa\x0brepl-offset\xc0\x07\xfa\x08aof-base\xc0\x00" + functions + "\xff" + strings.Repeat("\x00", checksumSize)
		require.Equal(t, fmt.Sprintf("%q", want), fmt.Sprintf("%q", Append([]byte("before "), tx, &f)))
	})
}

// A file is read as what was written, be it from a transaction or a snapshot. How often or when a key was used is
// there if the policy looks at it.
func TestAppend_ReadAgain(t *testing.T) {
	for policy, use := range map[store.Policy]string{store.NoEviction: "idle -1 freq -1",
		store.AllKeysLRU: "idle 70 freq -1", store.VolatileLFU: "idle -1 freq 9"} {
		inStore(t, policy, func(tx *store.Tx) {
			fill(tx)
			tx.Put([]byte("gone"), store.NewString(nil), false)
			tx.SetExpire([]byte("gone"), startMs)
			for _, server := range emulate.All() {
				f := &Facts{Server: server, Libraries: []string{"a", "b"}}
				for _, data := range [][]byte{Append(nil, tx, f),
					AppendSnapshot(nil, tx.Snapshot(), tx.Store().Thresholds(), f)} {
					file, err := Read(data, tx.Store().Thresholds())
					require.NoError(t, err)
					require.Equal(t, f.Libraries, file.Functions)
					require.Len(t, file.Keys, 2)
					k := file.Keys[0]
					require.Equal(t, fmt.Sprintf("0 s true %d %s", int64(startMs+5), use),
						fmt.Sprintf("%d %s %t %d idle %d freq %d", k.DB, k.Name, k.Expires, k.When, k.Idle, k.Freq))
					require.Equal(t, 3, file.Keys[1].DB)
				}
			}
		})
	}
}
