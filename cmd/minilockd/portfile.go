package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// A script that starts a server on a free port waits for the port file, then reads it. So the file must never be there
// without its content, and a file of an earlier server must not be taken for that of this one: it is replaced when the
// server listens, and removed when it ends.

// writePort writes the port of an address to a file, if one is given; see writeNumber.
func writePort(file, addr string) (remove func(), err error) {
	if file == "" {
		return func() {}, nil
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil { // the address is the path of a Unix socket
		return nil, errors.New("minilockd: port file: the server listens on no port")
	}
	return writeNumber("port file", file, port)
}

// writeNumber writes a number to a file, if one is given, atomically. The returned function removes the file, unless
// another process has overwritten it.
func writeNumber(what, file, number string) (remove func(), err error) {
	if file == "" {
		return func() {}, nil
	}
	if file, err = filepath.Abs(file); err != nil {
		return nil, fmt.Errorf("minilockd: %s: %w", what, err)
	}
	line := []byte(number + "\n")
	if err := replaceFile(file, line); err != nil {
		return nil, fmt.Errorf("minilockd: %s: %w", what, err)
	}
	return func() { removeIfSame(file, line) }, nil
}

// removeIfSame removes a file unless its text has changed.
func removeIfSame(file string, text []byte) {
	if now, err := os.ReadFile(file); err == nil && bytes.Equal(now, text) {
		_ = os.Remove(file)
	}
}

// replaceFile writes a temporary file in the same folder and renames it: a reader sees the old text or the new one,
// never a part. A folder of that name is an error here, since that of os.Rename does not say so on all systems.
func replaceFile(file string, text []byte) error {
	if info, err := os.Lstat(file); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder", file)
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".minilockd-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	return err
}
