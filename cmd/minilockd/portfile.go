package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// writePort puts the port into the file in one step, so that whoever waits for the file never reads half of it.
func writePort(file, addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("minilockd: port file: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".port-*")
	if err != nil {
		return fmt.Errorf("minilockd: port file: %w", err)
	}
	defer os.Remove(tmp.Name())
	_, err = fmt.Fprintln(tmp, port)
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("minilockd: port file: %w", err)
	}
	return nil
}
