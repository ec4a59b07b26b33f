//go:build race

package lock_test

// raceEnabled reports whether the race detector is on, with which 100,000 rounds take minutes.
const raceEnabled = true
