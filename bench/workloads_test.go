package bench

import (
	"crypto/sha1"
	_ "embed"
	"encoding/hex"
	"fmt"

	"github.com/minilockd/minilockd/bench/internal/load"
)

var (
	//go:embed testdata/acquire.lua
	acquireScript string
	//go:embed testdata/release.lua
	releaseScript string
)

const (
	lease       = "30000" // ms, the default of the common lock clients
	sharedLocks = 4
	many        = 50 // connections
	batched     = 16 // commands per write
)

// A workload is what the workers of some connections do, apart from where and how long.
type workload struct {
	name       string
	steps      []load.Step
	conns      int
	batch      int
	sharedKeys int
}

// workloads is the table of them, in the order in which they run and are shown. A name ends in connections x commands
// per write.
func workloads() []workload {
	return []workload{
		ownKeys("own_locks", lockSteps(), 1, 1),
		ownKeys("own_locks", lockSteps(), 1, batched),
		ownKeys("own_locks", lockSteps(), many, 1),
		ownKeys("own_locks", lockSteps(), many, batched),
		sharedKeys("shared_locks", lockSteps(), many, 1),
		sharedKeys("shared_locks", lockSteps(), many, batched),
		ownKeys("set+get", stringSteps(), many, 1),
		ownKeys("set+get", stringSteps(), many, batched),
		ownKeys("hincrby+pexpire+pttl", hashSteps(), many, 1),
		ownKeys("hincrby+pexpire+pttl", hashSteps(), many, batched),
	}
}

func ownKeys(kind string, steps []load.Step, conns, batch int) workload {
	return workload{name: fmt.Sprintf("%s_%dx%d", kind, conns, batch), steps: steps, conns: conns, batch: batch}
}

func sharedKeys(kind string, steps []load.Step, conns, batch int) workload {
	w := ownKeys(kind, steps, conns, batch)
	w.sharedKeys = sharedLocks
	return w
}

// lockSteps acquires and releases. Names have the length that clients give them: a UUID and a thread's number.
func lockSteps() []load.Step {
	const (
		lock    = "bench:lock:" + load.KeyDigits
		channel = "bench:lock:channel:{" + lock + "}"
		holder  = "b4a1c9f2-6d3e-4f70-8a15-2e9c7d60b3f8:" + load.HolderDigits
	)
	return []load.Step{
		{Args: []string{"EVALSHA", sha(acquireScript), "1", lock, holder, lease}, Want: "$-1", Refused: ":"},
		{Args: []string{"EVALSHA", sha(releaseScript), "2", lock, channel, holder, lease}, Want: ":1"},
	}
}

func stringSteps() []load.Step {
	const key, value = "bench:string:" + load.KeyDigits, "thirty-two bytes make this value"
	return []load.Step{
		{Args: []string{"SET", key, value}, Want: "+OK"},
		{Args: []string{"GET", key}, Want: "$32\r\n" + value},
	}
}

func hashSteps() []load.Step {
	const key, field = "bench:hash:" + load.KeyDigits, "field:" + load.HolderDigits
	return []load.Step{
		{Args: []string{"HINCRBY", key, field, "1"}, Want: ":"},
		{Args: []string{"PEXPIRE", key, lease}, Want: ":1"},
		{Args: []string{"PTTL", key}, Want: ":"},
	}
}

// setup makes every run begin alike: no keys, both scripts known.
func setup() [][]string {
	return [][]string{{"FLUSHALL"}, {"SCRIPT", "LOAD", acquireScript}, {"SCRIPT", "LOAD", releaseScript}}
}

// sha is the name of a script in EVALSHA.
func sha(script string) string {
	sum := sha1.Sum([]byte(script))
	return hex.EncodeToString(sum[:])
}
