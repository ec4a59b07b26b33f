package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/minilockd/minilockd/bench/internal/report"
)

// describe returns what the results depend on.
func describe(set settings) report.Head {
	return report.Head{
		Machine:  fmt.Sprintf("%s, %d cores, %s/%s", processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH),
		Versions: versions(),
		Date:     time.Now(),
		Rounds:   set.rounds,
		Window:   set.window,
	}
}

// processor returns the name of the CPU model if the system has it.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}

// versions returns the versions of the compared programs that are installed, and of Go. A program that fails is left
// out: git does outside a checkout.
func versions() []string {
	all := []string{runtime.Version()}
	for _, ask := range [][]string{
		{"git", "log", "-1", "--format=minilockd %h"},
		{"go", "list", "-m", "github.com/alicebob/miniredis/v2"},
		{"redis-server", "--version"},
	} {
		output, err := exec.Command(ask[0], ask[1:]...).Output()
		if err == nil {
			all = append(all, firstWords(string(output)))
		}
	}
	return all
}

// firstWords returns the words of a version line before those about its build.
func firstWords(line string) string {
	line, _, _ = strings.Cut(strings.TrimSpace(line), " sha=")
	return line
}
