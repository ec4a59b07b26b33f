package testenv

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// Goroutines returns the stacks of the goroutines that run, or were started by, a function of one of the packages.
// Those that run a test, or all tests, are left out.
func Goroutines(packages ...string) (stacks []string) {
	buf := make([]byte, 1<<16)
	n := runtime.Stack(buf, true)
	for ; n == len(buf); n = runtime.Stack(buf, true) {
		buf = make([]byte, 2*len(buf))
	}
	for stack := range strings.SplitSeq(string(buf[:n]), "\n\n") {
		if strings.Contains(stack, "\ntesting.tRunner") || strings.Contains(stack, "\nmain.main()") {
			continue
		}
		for _, name := range packages {
			if strings.Contains(stack, "/"+name+".") { // as in "created by …/server.(*Server).spawn"
				stacks = append(stacks, stack)
				break
			}
		}
	}
	return stacks
}

// NoGoroutines waits until there are no Goroutines. After the given time it returns an error with their stacks; a test
// that passes never waits as long.
func NoGoroutines(within time.Duration, packages ...string) error {
	for end := time.Now().Add(within); ; time.Sleep(time.Millisecond) {
		stacks := Goroutines(packages...)
		if len(stacks) == 0 {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("%d goroutines are left:\n%s", len(stacks), strings.Join(stacks, "\n\n"))
		}
	}
}
