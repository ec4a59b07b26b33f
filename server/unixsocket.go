package server

import (
	"fmt"
	"net"
	"os"
)

// listenLocally listens on a Unix domain socket. A file left there by a server that did not end in order is in the way, so
// it is removed. Without a path it does nothing.
func listenLocally(path string) (net.Listener, error) {
	if path == "" {
		return nil, nil
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("minilockd: %w", err)
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("minilockd: %w", err)
	}
	return listener, nil
}
