// Command locks compares package lock with other clients, on each server. In the directory bench:
//
//	go run ./locks                          prints Markdown, in about three minutes
//	go run ./locks >> RESULTS.md            adds that to the results
//	go run ./locks -scenarios cycle -rounds 40 -window 200ms
//	go run ./locks -scenarios cycle -cpuprofile cpu.out
//
// The clients run in turn, round after round, and ratios are to the reference of the same round. The scenarios:
//
//	cycle     lock and unlock without contention
//	handover  unlock in one client until another one, with its own connections, has the lock
//	herd      many wait, and each locks and unlocks once: the commands for each
//
// Redisson takes part in the hand-over if Java and Maven are installed: both clients are in one JVM then, as they are
// in one process for Go.
package main
