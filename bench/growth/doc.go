// Package growth measures how time and memory per operation change with how much there is: keys, TTLs, locks,
// connections, waiters, subscribers. In the folder above:
//
//	go test -bench . -run '^$' ./growth                   a few minutes
//	go test -bench . -run '^$' -short ./growth            a small part of each size, in a minute
//	go test -bench . -run '^$' ./growth -args -huge       up to 10,000,000 keys and TTLs; takes several GB
//
// Where sizes are compared, a last line "fit" gives the exponent of CPU time per operation: 0 is flat, 1 proportional
// to size. Part of it is the machine's: what no longer fits its caches takes longer to reach, on any server. Beside a
// command's way over a connection that is little, as redis-server in the same run shows too; a direct call has nothing
// else to wait for.
package growth
