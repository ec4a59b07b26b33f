//go:build !linux

package load

import "time"

// ProcessCPU is unknown here.
func ProcessCPU(int) (time.Duration, error) { return 0, nil }
