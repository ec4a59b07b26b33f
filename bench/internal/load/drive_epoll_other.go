//go:build !linux

package load

// toEpoll does nothing: other systems have no epoll.
func (*cycles) toEpoll() error { return nil }
