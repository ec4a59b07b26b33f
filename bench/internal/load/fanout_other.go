//go:build !linux

package load

import "errors"

// newFanout needs epoll: with a goroutine for each subscriber it would measure the generator.
func newFanout(site, *Spec) (scenario, error) { return nil, errors.ErrUnsupported }
