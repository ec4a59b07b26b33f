//go:build lockrank

package lockrank

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// lock is a mutex that a goroutine holds.
type lock struct {
	rank  int // in Order
	at    unsafe.Pointer
	stack [8]uintptr // where it was locked
}

// held are the locks of a goroutine. Goroutines that run one after the other may share one.
type held struct {
	mu    sync.Mutex // orders those goroutines for the race detector
	locks []lock
}

// goroutines are the locks that each goroutine holds, by goroutine. An entry stays when its goroutine ends.
var goroutines sync.Map // uintptr to *held

func heldByCaller() *held {
	g := goroutine()
	if h, ok := goroutines.Load(g); ok {
		return h.(*held)
	}
	h, _ := goroutines.LoadOrStore(g, new(held))
	return h.(*held)
}

// ranks are the positions in Order.
var ranks = func() map[Rank]int {
	all := make(map[Rank]int)
	for i, e := range Order {
		all[e.Rank] = i
	}
	return all
}()

func rankOf[R Rank]() int {
	var r R
	i, ok := ranks[r]
	if !ok {
		fail(fmt.Sprintf("lockrank: %T is not in the order", r))
	}
	return i
}

// Waits is to be called before the goroutine waits for a mutex of another make. Of those of one rank the one at the
// lowest address is locked first.
func Waits[R Rank, T any](mutex *T) {
	rank, at, h := rankOf[R](), unsafe.Pointer(mutex), heldByCaller()
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.locks {
		l := &h.locks[i]
		inOrder := l.rank < rank || l.rank == rank && Order[rank].Rank == Rank(Shard{}) && uintptr(l.at) < uintptr(at)
		if !inOrder {
			fail(fmt.Sprintf("lockrank: %s is to be locked here\n%s\nwhile %s is held, which was locked here\n%s",
				name(rank), frames(callers()), name(l.rank), frames(l.stack)))
		}
	}
}

// Locked is to be called when the goroutine has locked it.
func Locked[R Rank, T any](mutex *T) {
	at, h := unsafe.Pointer(mutex), heldByCaller()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.locks = append(h.locks, lock{rankOf[R](), at, callers()})
}

// Unlocked is to be called when the goroutine unlocks it.
func Unlocked[R Rank, T any](mutex *T) {
	rank, at, h := rankOf[R](), unsafe.Pointer(mutex), heldByCaller()
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := len(h.locks) - 1; i >= 0; i-- {
		if l := &h.locks[i]; l.rank == rank && l.at == at {
			h.locks = append(h.locks[:i], h.locks[i+1:]...)
			return
		}
	}
	fail(fmt.Sprintf("lockrank: %s is unlocked by a goroutine that has not locked it\n%s", name(rank), frames(callers())))
}

// fail ends the process: a panic might be recovered, as that of a command's handler is.
var fail = func(report string) {
	fmt.Fprintln(os.Stderr, report)
	os.Exit(2)
}

func name(rank int) string { return reflect.TypeOf(Order[rank].Rank).Name() }

// callers is the stack above the functions of this package.
func callers() (stack [8]uintptr) {
	runtime.Callers(4, stack[:])
	return stack
}

func frames(stack [8]uintptr) string {
	var text strings.Builder
	frames := runtime.CallersFrames(stack[:])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.PC != 0 {
			fmt.Fprintf(&text, "\t%s\n\t\t%s:%d\n", f.Function, f.File, f.Line)
		}
	}
	return text.String()
}
