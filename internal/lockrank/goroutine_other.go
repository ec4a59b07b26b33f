//go:build lockrank && !amd64 && !arm64

package lockrank

import (
	"bytes"
	"runtime"
	"strconv"
)

// goroutine is the number of the goroutine that runs.
func goroutine() uintptr {
	var buf [40]byte
	_, text, _ := bytes.Cut(buf[:runtime.Stack(buf[:], false)], []byte(" "))
	digits, _, _ := bytes.Cut(text, []byte(" "))
	n, _ := strconv.ParseUint(string(digits), 10, 64)
	return uintptr(n)
}
