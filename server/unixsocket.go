package server

import (
	"fmt"
	"net"
	"os"
)

// listenUnix listens on a Unix domain socket, with the permissions of mode if it is not 0. It removes a socket that a
// killed server has left there.
func listenUnix(path string, mode os.FileMode) (net.Listener, error) {
	if err := removeSocket(path); err != nil {
		return nil, err
	}
	listener, err := net.Listen("unix", path)
	if err != nil || mode == 0 {
		return listener, err
	}
	if err := os.Chmod(path, mode); err != nil {
		_ = listener.Close()
		return nil, err
	}
	return listener, nil
}

// removeSocket removes the file if it is a socket; any other file is an error.
func removeSocket(path string) error {
	info, err := os.Lstat(path)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return err
	case info.Mode().Type()&(os.ModeSocket|os.ModeIrregular) == 0: // irregular: so Windows calls a socket
		return fmt.Errorf("%s is there and no socket: it is not replaced", path)
	}
	return os.Remove(path)
}
