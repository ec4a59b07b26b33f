package store

import (
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
)

// BenchmarkExpire_1000000Keys stores 1,000,000 keys that expire over ten seconds, and reports how late the
// last of them went, at the worst, in ms after its time. It takes some twenty seconds for each round.
func BenchmarkExpire_1000000Keys(b *testing.B) {
	const keys, rangeMs = 1_000_000, 10_000
	for b.Loop() {
		st := New(clock.Real{}, 1)
		var gone, worst atomic.Int64
		st.SetEventSink(func(tx *Tx, class EventClass, _ string, _ int, key []byte) {
			if class != EventExpired {
				return
			}
			due, _ := strconv.ParseInt(string(key[:13]), 10, 64)
			if late := time.Now().UnixMilli() - due; late > worst.Load() {
				worst.Store(late)
			}
			gone.Add(1)
		})
		first := time.Now().Add(10 * time.Second).UnixMilli()
		tx := st.NewTx()
		for i := range keys {
			when := first + int64(i%rangeMs)
			key := fmt.Appendf(nil, "%013d:%d", when, i)
			tx.Do(LockOf(key), false, func() { tx.Put(key, NewString(nil), false); tx.SetExpire(key, when) }, func() {})
		}
		if time.Now().UnixMilli() > first {
			b.Fatal("the machine was too slow to store the keys in time")
		}
		for gone.Load() < keys {
			time.Sleep(10 * time.Millisecond)
		}
		b.ReportMetric(float64(worst.Load()), "ms-late-at-worst")
		st.Close()
	}
}
