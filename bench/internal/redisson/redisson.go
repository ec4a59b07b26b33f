// Package redisson runs Java programs that use a real Redisson client. A source file is run as it is (java File.java),
// so there is nothing to build; Maven only finds the jars.
package redisson

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// Program is a source file of bench/redisson that runs. It answers lines by lines, and ends when its input does, which
// is with this process at the latest. It is for one goroutine.
type Program struct {
	file string
	in   io.WriteCloser
	out  *bufio.Reader
	cmd  *exec.Cmd
}

// Installed reports whether Java and Maven are installed.
func Installed() bool {
	for _, program := range []string{"java", "mvn"} {
		if _, err := exec.LookPath(program); err != nil {
			return false
		}
	}
	return true
}

// Start runs a source file, from the directory bench: paths are relative to it. The first start downloads the jars.
func Start(file string) (*Program, error) {
	path, err := exec.Command("mvn", "-B", "-q", "-f", "redisson/pom.xml", "dependency:build-classpath",
		"-Dmdep.outputFile=/dev/stdout").Output()
	if err != nil {
		return nil, fmt.Errorf("mvn dependency:build-classpath: %w\n%s", err, path)
	}
	cmd := exec.Command("java", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp", classPath(path), "redisson/"+file)
	p := &Program{file: file, cmd: cmd}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return p, cmd.Start()
}

// classPath returns the line that is neither a message nor an escape sequence.
func classPath(output []byte) string {
	for line := range strings.Lines(string(output)) {
		if i := strings.IndexByte(line, '/'); i >= 0 {
			return strings.TrimSpace(line[i:])
		}
	}
	return ""
}

// Ask sends a line and returns the next one that comes, both without their ends. It has no time limit: the caller waits
// as long as the program works.
func (p *Program) Ask(line string) (string, error) {
	if _, err := fmt.Fprintln(p.in, line); err != nil {
		return "", err
	}
	answer, err := p.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("redisson/%s ended: %w", p.file, err)
	}
	return strings.TrimSpace(answer), nil
}

// Close ends the input, thus the program, and waits for its end.
func (p *Program) Close() error {
	_ = p.in.Close()
	return p.cmd.Wait()
}
