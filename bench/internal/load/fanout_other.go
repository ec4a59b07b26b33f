//go:build !linux

package load

import "errors"

// newFanOut needs epoll: a thousand goroutines would measure the generator.
func newFanOut(site, *Spec) (scene, error) { return nil, errors.ErrUnsupported }
