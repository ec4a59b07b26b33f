//go:build race

package lock_test

// raceEnabled reports that the race detector is on, under which a hundred thousand rounds take minutes.
const raceEnabled = true
