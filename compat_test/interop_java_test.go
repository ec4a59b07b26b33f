package compat

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// javaProcess is a JVM that executes requests with Redisson: see InteropProcess.java in redisson/…/interop. It is safe
// for concurrent use.
type javaProcess struct {
	in io.WriteCloser

	mu      sync.Mutex               // guards the rest and the writes to in
	last    int                      // the number of the last request
	waiting map[string]chan response // by the number of the request
	ended   error                    // set when no further response can come
}

// response is the result of a request.
type response struct {
	result string
	err    error // a *javaError, or that the process has ended
}

// javaError is an exception that Java has thrown.
type javaError struct{ class, message string }

func (e *javaError) Error() string { return e.class + ": " + e.message }

// startJavaProcess compiles the Java classes against a version of Redisson and starts a JVM with them. It ends with the
// test.
func startJavaProcess(t *testing.T, version string) *javaProcess {
	t.Helper()
	var stderr bytes.Buffer
	java := testenv.EndWithParent(javaCommand(classPath(t, version), "io.minilockd.compat.interop.InteropProcess"))
	java.Stderr = &stderr
	in, err := java.StdinPipe()
	require.NoError(t, err)
	out, err := java.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, java.Start())
	p := &javaProcess{in: in, waiting: map[string]chan response{}}
	read := make(chan struct{})
	go func() {
		defer close(read)
		p.listen(out)
	}()
	t.Cleanup(func() {
		_ = in.Close() // the process ends then
		kill := time.AfterFunc(messageTimeout, func() { _ = java.Process.Kill() })
		<-read
		require.NoError(t, java.Wait())
		kill.Stop()
		if t.Failed() {
			t.Logf("java printed:\n%s", stderr.String())
		}
	})
	return p
}

// classPaths has the class path for each version of Redisson for which the Java classes are compiled.
var classPaths = struct {
	sync.Mutex
	byVersion map[string]string
}{byVersion: make(map[string]string)}

// classPath compiles the Java classes, once in a test process, and returns the class path of them and the libraries
// that they need.
func classPath(t *testing.T, version string) string {
	t.Helper()
	classPaths.Lock()
	defer classPaths.Unlock()
	path := classPaths.byVersion[version]
	if path == "" {
		path = compileRedissonTests(t, version)
		classPaths.byVersion[version] = path
	}
	return path
}

func compileRedissonTests(t *testing.T, version string) string {
	t.Helper()
	build := filepath.Join(buildDir, "java-"+version)
	require.NoError(t, os.Mkdir(build, 0o700))
	list := filepath.Join(build, "classpath.txt")
	testenv.Run(t, mavenCommand(t, "redisson", build, "-Dredisson.version="+version,
		"test-compile", "dependency:build-classpath", "-Dmdep.outputFile="+list))
	libraries, err := os.ReadFile(list)
	require.NoError(t, err)
	classes := filepath.Join(build, version, "test-classes")
	return classes + string(filepath.ListSeparator) + strings.TrimSpace(string(libraries))
}

// listen delivers responses until there are no more.
func (p *javaProcess) listen(out io.Reader) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		id, text, _ := strings.Cut(lines.Text(), " ")
		p.mu.Lock()
		if waiter, ok := p.waiting[id]; ok {
			waiter <- parseResponse(text)
			delete(p.waiting, id)
		}
		p.mu.Unlock()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = fmt.Errorf("the JVM has ended: %w", io.ErrUnexpectedEOF)
	for _, waiter := range p.waiting {
		waiter <- response{err: p.ended}
	}
}

func parseResponse(text string) response {
	status, rest, _ := strings.Cut(text, " ")
	if status == "ok" {
		return response{result: rest}
	}
	class, message, _ := strings.Cut(rest, " ")
	return response{err: &javaError{class, message}}
}

// start sends a request; its response comes over the channel.
func (p *javaProcess) start(servers, thread string, words ...string) <-chan response {
	out := make(chan response, 1)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended != nil {
		out <- response{err: p.ended}
		return out
	}
	p.last++
	id := fmt.Sprint(p.last)
	p.waiting[id] = out
	if _, err := fmt.Fprintln(p.in, id, servers, thread, strings.Join(words, " ")); err != nil {
		delete(p.waiting, id)
		out <- response{err: err}
	}
	return out
}
