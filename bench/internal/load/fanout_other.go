//go:build !linux

package load

import "errors"

// newFanOut needs epoll: with a goroutine for each subscriber it would measure the generator.
func newFanOut(site, *Spec) (scenario, error) { return nil, errors.ErrUnsupported }
