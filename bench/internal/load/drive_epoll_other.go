//go:build !linux

package load

// toEpoll leaves it at goroutines: other systems have no epoll.
func (*cycles) toEpoll() error { return nil }
