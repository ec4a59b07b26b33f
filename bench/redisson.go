package main

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/target"
)

// redissonWarmup is what Java takes to compile what it runs often.
const redissonWarmup = 2 * time.Second

// redisson is a real Redisson client with 8 threads, if Java and Maven are installed. Its process lives until the end, so
// that it warms up once.
type redisson struct {
	start  func() error // once
	in     io.Writer
	out    *bufio.Reader
	warmed map[string]bool // places
}

func redissonPlays(set settings) (all []play) {
	for _, program := range []string{"java", "mvn"} {
		if _, err := exec.LookPath(program); err != nil {
			return nil
		}
	}
	r := &redisson{warmed: make(map[string]bool)}
	r.start = sync.OnceValue(r.launch)
	for _, kind := range []struct {
		name   string
		shared int
	}{{"own locks", 0}, {"4 shared locks", 4}} {
		all = append(all, play{
			name: fmt.Sprintf("Redisson, 8 threads, %s", kind.name),
			on:   func(s target.Server) bool { return s.Place.Network == load.TCP },
			run:  func(s target.Server) (load.Result, error) { return r.measure(s.Place, kind.shared, set.window) },
		})
	}
	return all
}

// launch starts Java; it ends when its input does, which is with this process.
func (r *redisson) launch() error {
	path, err := exec.Command("mvn", "-B", "-q", "-f", "redisson/pom.xml", "dependency:build-classpath",
		"-Dmdep.outputFile=/dev/stdout").Output()
	if err != nil {
		return fmt.Errorf("mvn dependency:build-classpath: %w\n%s", err, path)
	}
	cmd := exec.Command("java", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp", classPath(path), "redisson/LockLoad.java")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	r.out = bufio.NewReader(out)
	if r.in, err = cmd.StdinPipe(); err != nil {
		return err
	}
	return cmd.Start()
}

// classPath is the line that isn't a message or what colours one.
func classPath(output []byte) string {
	for line := range strings.Lines(string(output)) {
		if i := strings.IndexByte(line, '/'); i >= 0 {
			return strings.TrimSpace(line[i:])
		}
	}
	return ""
}

func (r *redisson) measure(at load.Place, shared int, window time.Duration) (load.Result, error) {
	if err := r.start(); err != nil {
		return load.Result{}, err
	}
	if !r.warmed[at.Addr] {
		r.warmed[at.Addr] = true
		if _, err := r.run(at, shared, redissonWarmup); err != nil {
			return load.Result{}, err
		}
	}
	before, err := load.ProcessCPU(at.PID)
	if err != nil {
		return load.Result{}, err
	}
	result, err := r.run(at, shared, window)
	if err != nil {
		return result, err
	}
	after, err := load.ProcessCPU(at.PID)
	result.ServerCPU = after - before
	return result, err
}

// run has LockLoad.java do a run.
func (r *redisson) run(at load.Place, shared int, window time.Duration) (result load.Result, err error) {
	if _, err := fmt.Fprintf(r.in, "redis://%s %d %d\n", at.Addr, shared, window.Milliseconds()); err != nil {
		return result, err
	}
	line, err := r.out.ReadString('\n')
	if err != nil {
		return result, fmt.Errorf("redisson/LockLoad.java ended: %w", err)
	}
	_, err = fmt.Sscan(line, &result.Ops, (*int64)(&result.Elapsed), (*int64)(&result.LoadCPU))
	return result, err
}
