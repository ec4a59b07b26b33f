package store

import (
	"testing"
	"unsafe"

	"github.com/minilockd/minilockd/internal/require"
)

func TestItem_Value(t *testing.T) {
	var it item
	for _, v := range []Value{NewString(nil), NewHash(), NewList(), NewSet(), NewZSet(), NewStream()} {
		it.setValue(v)
		require.Same(t, v, it.value())
	}
	require.Panics(t, func() { it.setValue(nil) })
}

func TestNode_Size(t *testing.T) {
	require.EqualValues(t, 64, unsafe.Sizeof(node[item]{}), "a key's node fills a size class of the allocator")
	require.EqualValues(t, 32, unsafe.Sizeof(Hash{}))
}
