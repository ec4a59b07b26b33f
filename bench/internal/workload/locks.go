package workload

import (
	"fmt"
	"strconv"

	"github.com/minilockd/minilockd/bench/internal/load"
)

// Names have the length that lock clients give them: a holder is a UUID and the number of a thread, and the channel of
// a lock has the name of the lock as its hash tag.
const (
	lock    = "bench:lock:" + load.KeyDigits
	channel = "bench:lock:channel:{" + lock + "}"
	holder  = "b4a1c9f2-6d3e-4f70-8a15-2e9c7d60b3f8:" + load.HolderDigits

	lease     = "30000"  // ms, the default of the common lock clients
	extraTime = "300000" // ms, of a fair lock
	now       = "1000"   // ms; the places of waiters do not expire
)

// What the scripts reply. Acquire replies nil for a lock that is held now, else the remaining lease in ms; release
// replies 1 if the lock is free now, and 0 if another hold is left.
const (
	held    = "$-1"
	taken   = ":"
	freed   = ":1"
	stillOn = ":0"
)

// acquire and release are a lock of one holder, which may take it more than once: a hash of counts, a lease and a
// message, with the commands that the scripts of Redisson's RLock use.
func acquire() load.Step {
	return load.Step{Args: call("acquire", []string{lock}, holder, lease), Want: held, Rejected: taken}
}

func release() load.Step {
	return load.Step{Args: call("release", []string{lock, channel}, holder, lease), Want: freed}
}

// lockSteps is lock and unlock. On a shared lock an acquire may be rejected; then the worker goes on to the next key.
func lockSteps() []load.Step { return []load.Step{acquire(), release()} }

// stormSteps is tryLock of all workers on one lock; timed is the release by the holder.
func stormSteps() []load.Step {
	last := release()
	last.Timed = true
	return []load.Step{acquire(), last}
}

// listenSteps returns the steps of a waiter's subscription.
func listenSteps() []load.Step {
	return []load.Step{
		{Args: []string{"SUBSCRIBE", channel}, Want: "*3\r\n$9\r\nsubscribe"},
		{Want: "*3\r\n$7\r\nmessage"},
		{Args: []string{"UNSUBSCRIBE", channel}, Want: "*3\r\n$11\r\nunsubscribe"},
	}
}

// queue is the number of waiters for a fair lock, of each worker.
const queue = 20

// thread returns the name of one of the threads that a worker simulates: a worker sends one command at a time, so a
// queue of waiters is a matter of names.
func thread(i int) string { return fmt.Sprintf("%s:%02d", holder, i) }

// fairAcquire and fairRelease are a fair lock: its waiters are in a list, and in a sorted set with the end of their
// places.
func fairAcquire(i int, want string) load.Step {
	keys := []string{lock, "bench:queue:{" + lock + "}", "bench:timeout:{" + lock + "}"}
	return load.Step{Args: call("fair_acquire", keys, thread(i), lease, extraTime, now), Want: want}
}

func fairRelease(i int) load.Step {
	keys := []string{lock, "bench:queue:{" + lock + "}", "bench:timeout:{" + lock + "}", channel}
	return load.Step{Args: call("fair_release", keys, thread(i), lease, now), Want: freed}
}

// fairOpening makes one thread hold the lock and the others wait for it.
func fairOpening() []load.Step {
	steps := []load.Step{fairAcquire(0, held)}
	for i := range queue {
		steps = append(steps, fairAcquire(i+1, taken))
	}
	return steps
}

// fairSteps: each thread in turn releases the lock to the next and joins the queue again.
func fairSteps() (steps []load.Step) {
	for i := range queue + 1 {
		steps = append(steps, fairRelease(i), fairAcquire((i+1)%(queue+1), held), fairAcquire(i, taken))
	}
	return steps
}

// readers is the number of readers that hold a read-write lock at the same time.
const readers = 10

// readWriteSteps: all readers lock, a writer is rejected, the readers unlock, the writer locks and unlocks.
func readWriteSteps() []load.Step {
	const prefix, writer = "{" + lock + "}", holder + ":w:write"
	holds := func(i int) string { return prefix + ":" + thread(i) + ":hold" }
	writing := func(want string) load.Step {
		return load.Step{Args: call("write_acquire", []string{lock}, writer, lease), Want: want}
	}
	var in, out []load.Step
	for i := range readers {
		in = append(in, load.Step{Args: call("read_acquire", []string{lock, holds(i)}, thread(i), lease, thread(i)+":write"),
			Want: held})
		out = append(out, load.Step{Args: call("read_release", []string{lock, holds(i), channel, prefix}, thread(i)),
			Want: stillOn})
	}
	out[readers-1].Want = freed
	steps := append(append(in, writing(taken)), out...)
	return append(steps, writing(held), load.Step{Args: call("write_release", []string{lock, channel}, writer, lease),
		Want: freed})
}

func digits(n int) string { return strconv.Itoa(n) }
