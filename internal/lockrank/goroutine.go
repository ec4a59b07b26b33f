//go:build lockrank && (amd64 || arm64)

package lockrank

// goroutine returns a number that identifies the goroutine that runs. Go has that in the text of a stack only, which
// takes some 25 times as long as everything else here.
func goroutine() uintptr
