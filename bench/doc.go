// Command bench compares minilockd with redis-server and miniredis, side by side in one run. In this directory:
//
//	go run .                        everything, about ten minutes; writes RESULTS.md and results.svg
//	go run . -short                 some of it in one round, under a minute; writes nothing
//	go run . -workloads 'own|SET'   what matches
//	go run . -servers redis-server,minilockd -rounds 10 -seconds 1
//	go run . -profile DIR           CPU, allocations, mutex and block of a minilockd in this program, for each workload
//	go test -bench . ./growth       how time and memory grow; see package growth
//
// Each server runs in its own process, and so does the generator of the load (package load), which reports its own CPU
// time. The servers run in turn within a workload, round after round, so that changes of the machine's speed affect all
// equally. Tasks that need redis-server, redis-benchmark, Java or Maven are skipped with a message if these are not
// installed. CPU times are reported only on Linux.
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
// To measure with a number of cores, run it with taskset -c 0 or the like; the workloads named "scaling"
// set GOMAXPROCS. On a machine with a single core the generator and the server share it, so only CPU times compare.
package main
