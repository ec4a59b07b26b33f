package server

import (
	"bytes"
	"os"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/num"
)

// statTick is the unit of /proc/stat (proc(5), USER_HZ).
const statTick = 10 * time.Millisecond

// idleTime is how long the machine's cores have been idle altogether, since some moment. Where the kernel does not tell, one core
// counts as idle.
func idleTime() time.Duration {
	text, err := os.ReadFile("/proc/stat")
	fields := bytes.Fields(text)
	const idle, iowait = 4, 5 // fields of the line "cpu", the first
	if err != nil || len(fields) <= iowait {
		return time.Duration(clock.Real{}.Now().UnixNano())
	}
	var ticks int64
	for _, field := range fields[idle : iowait+1] {
		n, _ := num.ParseInt(field)
		ticks += n
	}
	return time.Duration(ticks) * statTick
}
