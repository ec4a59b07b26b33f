package store

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// fieldModel is what hashes of one shard should hold: by key and field the deadline, -1 for none.
type fieldModel map[string]map[string]int64

func (m fieldModel) hash(key string) map[string]int64 {
	if m[key] == nil {
		m[key] = map[string]int64{}
	}
	return m[key]
}

// expire drops what is due.
func (m fieldModel) expire(now int64) {
	for key, fields := range m {
		maps.DeleteFunc(fields, func(_ string, when int64) bool { return when >= 0 && when <= now })
		if len(fields) == 0 {
			delete(m, key)
		}
	}
}

// fieldChange changes a store and, where there is one, the model alike.
type fieldChange func(tx *Tx, m fieldModel)

// randomFieldChange returns a random change: of fields, or of where a hash is.
func randomFieldChange(t *testing.T, r *rand.Rand) fieldChange {
	key, other := fmt.Sprint("{t}", r.IntN(3)), fmt.Sprint("{t}", r.IntN(3))
	field, ttl, kind := fmt.Sprint("f", r.IntN(6)), 1+r.Int64N(40), r.IntN(10)
	return func(tx *Tx, m fieldModel) {
		fields := m.hash(key)
		h, err := Get[*Hash](tx, []byte(key), ForWrite)
		require.NoError(t, err)
		switch {
		case h == nil:
			h, err = GetOrCreate(tx, []byte(key), NewHash)
			require.NoError(t, err)
			h.Set(defaultThresholds, []byte(field), []byte("v"))
			fields[field] = -1
		case kind < 2:
			h.Set(defaultThresholds, []byte(field), []byte("v"))
			fields[field] = -1
		case kind == 2:
			if when, there := fields[field]; h.Update(defaultThresholds, []byte(field), []byte("w")) {
				require.False(t, there, when)
				fields[field] = -1
			}
		case kind < 7:
			if tx.ExpireField([]byte(key), h, []byte(field), tx.Now()+ttl) {
				fields[field] = tx.Now() + ttl
			}
		case kind == 7:
			if h.Persist([]byte(field)) {
				fields[field] = -1
			}
		case kind == 8 && key != other:
			move(tx, []byte(key), []byte(other))
			m[other] = fields
			delete(m, key)
		case kind == 9:
			tx.PutUntil([]byte(other), h.Clone(), 0)
			m[other] = maps.Clone(fields)
		}
	}
}

// requireWheels checks that each hash with deadlines, and nothing else, is in the wheel of its keyspace, not too late.
func (st *testStore) requireWheels() {
	st.all(func(*Tx) {
		for i := range st.shards {
			for _, ks := range st.shards[i].spaces {
				if ks == nil {
					continue
				}
				withTimer := 0
				ks.dict.each(func(n *node[item]) bool {
					if h, ok := n.val.value().(*Hash); ok && h.deadlines() != nil {
						withTimer++
						require.True(st.t, h.deadlines().timer.IsSet())
						require.LessOrEqual(st.t, h.deadlines().timer.When(), h.deadlines().earliest())
					}
					return true
				})
				if ks.fields != nil {
					require.Equal(st.t, withTimer, ks.fields.Len())
				}
			}
		}
	})
}

// Changes, some of which are rolled back and made again, agree with a model, whether or not the timer fires in between.
func TestExpireField_RandomChangesAgreeWithAModel(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.Close() // the test itself is the timer
		r := rand.New(rand.NewPCG(5, 6))
		model := fieldModel{}
		for range 5000 {
			change, restarts := randomFieldChange(t, r), r.IntN(3) == 0
			st.inShards("{t}", func(tx *Tx) {
				model.expire(tx.Now())
				if restarts && tx.Held() != All {
					change(tx, fieldModel{})
					tx.Restart()
					return
				}
				change(tx, model)
			})
			st.requireWheels()
			if r.IntN(2) == 0 {
				st.clock.Advance(ms * 5)
			}
			if r.IntN(3) == 0 {
				st.ExpireDue()
			}
			model.expire(st.clock.Now().UnixMilli())
			for key := range 3 {
				name := fmt.Sprint("{t}", key)
				require.Equal(t, relative(model[name], st.clock.Now().UnixMilli()), st.fields(0, name))
			}
		}
	})
}

// relative makes deadlines what is left until then.
func relative(fields map[string]int64, now int64) map[string]int64 {
	left := map[string]int64{}
	for field, when := range fields {
		if left[field] = when; when >= 0 {
			left[field] = when - now
		}
	}
	return left
}
