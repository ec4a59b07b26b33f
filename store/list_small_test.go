package store

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/internal/require"
)

// The model counts the bytes of a listpack at each step.
func TestList_SmallAgreesWithCountingAtEachStep(t *testing.T) {
	thresholds := NewThresholds()
	thresholds.ListSize.Store(-1)
	const limit = 4096
	r := rand.New(rand.NewPCG(7, 7))
	l, model, large := Bind(NewList(), thresholds), [][]byte(nil), false
	sizeOf := func(elems [][]byte) int {
		size := listpackFrame
		for _, elem := range elems {
			size += rdb.ListpackString(elem)
		}
		return size
	}
	changes := 0
	for step := range 30_000 {
		// It grows for a while, then it shrinks.
		if pushes := step/1500%2 == 0; len(model) == 0 || pushes == (r.IntN(4) != 0) {
			elem := []byte(fmt.Sprint(r.IntN(1000)))
			if r.IntN(20) == 0 {
				elem = []byte(strings.Repeat("x", r.IntN(300)))
			}
			large = large || sizeOf(model)+len(elem) > limit
			l.Push(elem, Back)
			model = append(model, elem)
		} else {
			l.Pop(Front)
			model = model[1:]
			large = large && sizeOf(model) > limit/2
		}
		if l.Small() == large {
			t.Fatalf("step %d: %d elements of %d bytes, large: %v", step, len(model), sizeOf(model), large)
		}
		if step%1500 == 1499 {
			changes++
		}
	}
	require.Equal(t, 20, changes)
}

func TestList_SmallByNumberOfElements(t *testing.T) {
	thresholds := NewThresholds()
	thresholds.ListSize.Store(4)
	l := Bind(NewList(), thresholds)
	small := func(want bool, change func()) {
		t.Helper()
		change()
		require.Equal(t, want, l.Small())
	}
	push := func() { l.Push([]byte("a"), Front) }
	for range 4 {
		small(true, push)
	}
	small(false, push)
	small(false, func() { l.Drop(2, Front) })
	small(true, func() { l.Drop(1, Back) })
	small(false, func() { l.Set(0, make([]byte, 9000)) })
	small(true, func() { l.Set(0, nil) })
}
