// Package testenv is what tests share about where they run.
package testenv

import "os"

// Long reports whether tests that take long run in full: they do where the environment variable MINILOCKD_LONG is set,
// so that go test ./... takes a few minutes without it.
func Long() bool { return os.Getenv("MINILOCKD_LONG") != "" }
