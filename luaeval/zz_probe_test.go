package luaeval

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestProbe(t *testing.T) {
	b, _ := os.ReadFile("/tmp/mini/bombs/probe.txt")
	for _, src := range strings.Split(string(b), "\n----\n") {
		e := newEngine()
		runtime.GC(); start := time.Now()
		var m0, m1 runtime.MemStats
		runtime.ReadMemStats(&m0)
		go func() { time.Sleep(8 * time.Second); e.Stop() }()
		done := make(chan int)
		go func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(5 * time.Millisecond):
					e.Watch(time.Now(), time.Second)
				}
			}
		}()
		r := eval(t, e, silent{}, src)
		close(done)
		runtime.ReadMemStats(&m1)
		if len(r) > 200 {
			r = r[:200]
		}
		fmt.Printf("%-60.60q %6dms sys=%dMB tot=%dMB %q\n", src, time.Since(start).Milliseconds(), m1.Sys>>20, (m1.TotalAlloc-m0.TotalAlloc)>>20, r)
	}
}
