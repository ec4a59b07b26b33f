package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/server"
)

// faultFile is the file of --faults.
type faultFile struct {
	name  string
	lines []fault.Line
}

// readFaults reads the file of --faults.
func readFaults(name string) (faultFile, error) {
	file, err := os.Open(name)
	if err != nil {
		return faultFile{}, fmt.Errorf("minilockd: --faults %s: %w; %w", name, reason(err), errUsage)
	}
	defer file.Close()
	lines, err := fault.ParseFile(file)
	if err != nil {
		return faultFile{}, fmt.Errorf("minilockd: --faults %s: %w; %w", name, reason(err), errUsage)
	}
	return faultFile{name, lines}, nil
}

// rules returns the rules of the file.
func (f *faultFile) rules() (rules []fault.Rule) {
	for _, line := range f.lines {
		rules = append(rules, line.Rule)
	}
	return rules
}

// explain makes the error of server.Start name the line, if it is about a rule: only the server knows the names of
// commands.
func (f *faultFile) explain(err error) error {
	var bad *server.FaultError
	if !errors.As(err, &bad) {
		return err
	}
	return fmt.Errorf("minilockd: --faults %s: line %d: %w; %w", f.name, f.lines[bad.Index].Number, bad.Err, errUsage)
}
