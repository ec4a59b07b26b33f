package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/target"
	"github.com/minilockd/minilockd/bench/internal/workload"
)

// profileAll runs the workloads on servers in the process of the generator and writes their profiles to a directory.
// They include the generator: pprof -focus minilockd/server leaves it out.
func profileAll(set settings, stderr io.Writer) error {
	if err := os.MkdirAll(set.profile, 0o755); err != nil {
		return err
	}
	var failures error
	for _, w := range workload.All() {
		for _, network := range []string{load.Loopback, load.Memory, load.Direct} {
			if at := (load.Place{Network: network}); w.RunsOn(at) && set.workloads.MatchString(w.Name) &&
				(w.Short || !set.short) {
				failures = errors.Join(failures, profileOne(set, w, at, stderr))
			}
		}
	}
	return failures
}

// profileOne profiles one workload in a process of its own, so that no profile has samples of another workload.
func profileOne(set settings, w workload.Workload, at load.Place, stderr io.Writer) error {
	spec := specOf(set, w, at)
	spec.Profile = profileName(set.profile, w.Name, at.Network)
	result, err := target.Generate(spec, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", w.Name, err)
	}
	fmt.Fprintf(stderr, "%s.*.pprof: %.0f op/s\n", spec.Profile, result.OpsPerSecond())
	return nil
}
