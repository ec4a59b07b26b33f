//go:build lockrank && (amd64 || arm64)

package lockrank

// goroutine tells the goroutine that runs from all others. Go offers that in the text of a stack only, which takes some
// 25 times as long as all else.
func goroutine() uintptr
