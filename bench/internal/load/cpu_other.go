//go:build !linux

package load

import "time"

// processCPU is unknown here.
func processCPU(int) (time.Duration, error) { return 0, nil }

// ownCPU is unknown here.
func ownCPU() (time.Duration, error) { return 0, nil }
