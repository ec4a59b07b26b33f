//go:build !linux

package server

type suspect struct{}

func (*watchdog) lookAtLoops() bool { return false }
