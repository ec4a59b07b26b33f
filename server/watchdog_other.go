//go:build !linux

package server

type (
	loopSnapshot struct{}
	balance      struct{}
)

func (*watchdog) lookAtLoops() bool { return false }
