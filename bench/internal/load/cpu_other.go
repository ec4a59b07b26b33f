//go:build !linux

package load

import "time"

// ProcessCPU is not available on this system.
func ProcessCPU(int) (time.Duration, error) { return 0, nil }
