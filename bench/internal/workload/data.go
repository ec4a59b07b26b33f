package workload

import (
	"strings"

	"github.com/minilockd/minilockd/bench/internal/load"
)

// Kinds of values have keys of their own: a command on a key with another type would reply WRONGTYPE.

// key is one key of a worker and kind of value.
func key(kind string) string { return "bench:" + kind + ":" + load.KeyDigits }

// lines makes a step of each line, which is a command; its first word may be what the reply begins with, after a '>'. K
// stands for a key of that kind, {K}:b for another one.
func lines(kind, text string) (steps []load.Step) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		var step load.Step
		if want, ok := strings.CutPrefix(words[0], ">"); ok {
			step.Want, words = want, words[1:]
		}
		for _, word := range words {
			switch word {
			case "K":
				word = key(kind)
			case "{K}:b":
				word = "{" + key(kind) + "}:b"
			}
			step.Args = append(step.Args, word)
		}
		steps = append(steps, step)
	}
	return steps
}

// stringSteps sets and gets a value of so many bytes, and compares all of it: a reply of 1 MB must be complete.
func stringSteps(size int) []load.Step {
	value := strings.Repeat("v", size)
	return []load.Step{
		{Args: []string{"SET", key("string"), value}, Want: "+OK"},
		{Args: []string{"GET", key("string")}, Want: "$" + digits(size) + "\r\n" + value},
	}
}

// hashSteps is what a lock client does to a hash when it counts holds and renews a lease, without a script around it.
func hashSteps() []load.Step {
	return lines("hash", "HINCRBY K field:"+load.HolderDigits+" 1\n PEXPIRE K "+lease+"\n PTTL K")
}

// slowSteps compute for about a millisecond, without a key that others use, so that it shows whether a server uses
// another core.
func slowSteps() []load.Step { return []load.Step{{Args: call("slow", nil), Want: ":200010000"}} }

// oneSteps is the shortest script: what is left is the cost of EVALSHA itself.
func oneSteps() []load.Step { return []load.Step{{Args: call("one", nil), Want: ":1"}} }

// listLength is the number of elements that LRANGE replies with.
const listLength = 100

// listOpening makes the list that listSteps reads, once for each worker.
func listOpening() []load.Step {
	return lines("list", "RPUSH K"+strings.Repeat(" element", listLength))
}

func listSteps() []load.Step { return lines("list", ">*100 LRANGE K 0 -1") }

// zsetSteps adds four members, of which the last has the name of the worker, and reads them.
func zsetSteps() []load.Step {
	return lines("zset", "ZADD K 1 a 2 b 3 c 4 "+load.HolderDigits+"\n >*4 ZRANGE K 0 -1")
}

// fanoutSteps publish to the subscribers. The reply to PUBLISH is their number: with another one the run fails.
func fanoutSteps(subscribers int) []load.Step {
	return []load.Step{{Args: []string{"PUBLISH", "bench:news", "thirty-two bytes make a message!"}, Want: ":" +
		digits(subscribers) + "\r"}}
}

// fanoutListen is what a subscriber sends.
func fanoutListen() []load.Step { return lines("", "SUBSCRIBE bench:news") }
