package store

import (
	"bytes"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestNewString_Copies(t *testing.T) {
	b := []byte("abc")
	s := NewString(b)
	b[0] = 'x'
	require.Equal(t, "abc", string(s.Bytes()))
	clone := s.Clone().(*String)
	s.Append([]byte("def"))
	s.Bytes()[0] = 'y'
	require.Equal(t, "abc", string(clone.Bytes()))
	require.Equal(t, "ybcdef", string(s.Bytes()))
	require.Equal(t, 6, s.Weight()-NewString(nil).Weight())
	require.Equal(t, TypeString, s.Type())
}

func TestString_Set_KeepsItsMemoryOnlyWhileItIsNeeded(t *testing.T) {
	s := NewString(make([]byte, 1000))
	first := &s.Bytes()[0]
	s.Set(bytes.Repeat([]byte("a"), 900))
	require.Same(t, first, &s.Bytes()[0])
	s.Set([]byte("small"))
	require.NotSame(t, first, &s.Bytes()[0])
	require.Less(t, cap(s.Bytes()), 100)
	require.Equal(t, "small", string(s.Bytes()))
}

func TestString_Writable_PadsWithZeros(t *testing.T) {
	s := NewString([]byte("abcdef"))
	s.Set([]byte("xy")) // what was behind must not come back
	copy(s.Writable(5)[4:], "z")
	require.Equal(t, "xy\x00\x00z", string(s.Bytes()))
	require.Len(t, s.Writable(2), 5)
}

func TestTx_SetString(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("expiring", "old", 1000)
		st.all(func(tx *Tx) { tx.Put([]byte("hash"), NewHash(), false) })
		st.all(func(tx *Tx) {
			tx.SetString([]byte("expiring"), []byte("new"), true)
			tx.SetString([]byte("hash"), []byte("string"), true)
			tx.SetString([]byte("missing"), []byte("created"), true)
		})
		want := map[string]string{"expiring": "new for 1000", "hash": "string", "missing": "created"}
		require.Equal(t, want, st.dump(0))
		st.all(func(tx *Tx) { tx.SetString([]byte("expiring"), []byte("newer"), false) })
		require.Equal(t, "newer", st.dump(0)["expiring"])
	})
}
