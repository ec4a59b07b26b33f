// Command bench compares minilockd with redis-server and miniredis, side by side in one run. In this folder:
//
//	go run .                        everything, about ten minutes; writes RESULTS.md and results.svg
//	go run . -short                 some of it in one round, under a minute; writes nothing
//	go run . -workloads 'own|SET'   what matches
//	go run . -servers redis-server,minilockd -rounds 10 -seconds 1
//	go run . -profile DIR           CPU, allocations, mutex and block of a minilockd in this program, for each workload
//	go test -bench . ./growth       how time and memory grow; see package growth
//
// Each server is a process of its own and so is the generator of the load (package load), which tells what it costs
// itself. The servers take turns within a workload, round after round, so that a drift of the machine hits all alike.
// Where redis-server, redis-benchmark, Java or Maven are missing, what needs them is left out and a line says so. CPU
// times are told on Linux only.
//
// To compare with another commit, run both with -benchstat and give the two files to benchstat:
//
//	go run . -servers minilockd -rounds 10 -benchstat new.txt
//	go run golang.org/x/perf/cmd/benchstat@latest old.txt new.txt
//
// The binary is built with the profile in cmd/minilockd/default.pgo, which go build looks for. To renew it:
//
//	go run -trimpath . -workloads '50x1|PUBLISH|hand-over' -seconds 1.5 -profile DIR
//	go tool pprof -proto DIR/*.loopback.cpu.pprof > ../cmd/minilockd/default.pgo
//
// To see what a number of cores makes of it, run all that under taskset -c 0 or the like; the workloads named "scaling"
// do so by GOMAXPROCS.
package main
