// Package bench compares minilockd with redis-server and miniredis, side by side in one run:
//
//	go test -C bench -bench . -run '^$'           five rounds, about four minutes
//	go test -C bench -bench . -run '^$' -short    one round, under a minute
//	go test -C bench -bench /own -run '^$'        the workloads whose name has "own"
//
// Each server is a process of its own and so is the generator of the load (package load), which prints what it costs itself.
// The servers take turns within a workload, round after round, so that a drift of the machine hits all alike; the table
// shows medians over the rounds, and ratios to redis-server that were taken within each round before the median was. Where
// redis-server is not installed it is left out, and with it the ratios. CPU times are told on Linux only.
//
// The environment may set BENCH_ROUNDS, BENCH_SECONDS (the measured window; below 1 the 10 ms steps in which the system
// tells a server's CPU time begin to show) and BENCH_SERVERS (names, with commas between).
package bench
