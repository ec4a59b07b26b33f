// Package growth measures how time and memory per operation change with the number of keys, TTLs, locks, connections,
// waiters and subscribers. In the directory above:
//
//	go test -bench . -run '^$' ./growth                   a few minutes
//	go test -bench . -run '^$' -short ./growth            a small part of each size, in a minute
//	go test -bench . -run '^$' ./growth -args -huge       up to 10,000,000 keys and TTLs; takes several GB
//
// A last line "fit" gives the exponent of CPU time per operation: 0 is constant, 1 proportional to size. Part of it is
// that of the machine: data that no longer fits its caches takes longer to read, on any server. For a command over a
// connection that is little, as redis-server in the same run shows; for a direct call it is most of the growth.
package growth
