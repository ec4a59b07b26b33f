package compat

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/testenv"
)

// javaProcess is a JVM with Redisson clients that do as they are recordedReply: redisson/src/test/java/io/minilockd/compat/interop/Peer.java
// says how. Its methods are safe for concurrent use.
type javaProcess struct {
	in io.WriteCloser

	mu      sync.Mutex // guards the rest, and keeps lines whole
	last    int
	waiting map[string]chan answer // by request
	ended   error                  // set when no further answer comes
}

// answer is what a request came to.
type answer struct {
	result string
	err    error // a *javaError, or the end of the process
}

// javaError is an exception.
type javaError struct{ class, message string }

func (e *javaError) Error() string { return e.class + ": " + e.message }

// startJavaProcess compiles the Java classes against a version of Redisson and starts a JVM with them, which ends with the test.
func startJavaProcess(t *testing.T, version string) *javaProcess {
	t.Helper()
	var stderr bytes.Buffer
	java := testenv.EndWithParent(exec.Command("java", "-cp", classPath(t, version), "io.minilockd.compat.interop.Peer"))
	java.Stderr = &stderr
	in, err := java.StdinPipe()
	require.NoError(t, err)
	out, err := java.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, java.Start())
	p := &javaProcess{in: in, waiting: map[string]chan answer{}}
	read := make(chan struct{})
	go func() {
		defer close(read)
		p.listen(out)
	}()
	t.Cleanup(func() {
		_ = in.Close() // which ends it
		kill := time.AfterFunc(soon, func() { _ = java.Process.Kill() })
		<-read
		require.NoError(t, java.Wait())
		kill.Stop()
		if t.Failed() {
			t.Logf("java printed:\n%s", stderr.String())
		}
	})
	return p
}

// classPath compiles the classes, and is where they and what they need are found.
func classPath(t *testing.T, version string) string {
	t.Helper()
	requireTools(t, "java", "mvn")
	target, err := filepath.Abs(filepath.Join("redisson", "target", version))
	require.NoError(t, err)
	list := filepath.Join(target, "classpath.txt")
	mvn := testenv.EndWithParent(exec.CommandContext(t.Context(), "mvn", "-B", "-q", "-Dredisson.version="+version,
		"test-compile", "dependency:build-classpath", "-Dmdep.outputFile="+list))
	mvn.Dir = "redisson"
	output, err := mvn.CombinedOutput()
	require.NoError(t, err, "mvn test-compile: %s", output)
	libraries, err := os.ReadFile(list)
	require.NoError(t, err)
	return filepath.Join(target, "test-classes") + string(filepath.ListSeparator) + strings.TrimSpace(string(libraries))
}

// listen hands out answers until there are no more.
func (p *javaProcess) listen(out io.Reader) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		id, text, _ := strings.Cut(lines.Text(), " ")
		p.mu.Lock()
		if waiter, ok := p.waiting[id]; ok {
			waiter <- parseAnswer(text)
			delete(p.waiting, id)
		}
		p.mu.Unlock()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = fmt.Errorf("the JVM has ended: %w", io.ErrUnexpectedEOF)
	for _, waiter := range p.waiting {
		waiter <- answer{err: p.ended}
	}
}

func parseAnswer(text string) answer {
	verdict, rest, _ := strings.Cut(text, " ")
	if verdict == "ok" {
		return answer{result: rest}
	}
	class, message, _ := strings.Cut(rest, " ")
	return answer{err: &javaError{class, message}}
}

// start sends a request, and gives the answer when it comes.
func (p *javaProcess) start(servers, thread string, words ...string) <-chan answer {
	out := make(chan answer, 1)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended != nil {
		out <- answer{err: p.ended}
		return out
	}
	p.last++
	id := fmt.Sprint(p.last)
	p.waiting[id] = out
	if _, err := fmt.Fprintln(p.in, id, servers, thread, strings.Join(words, " ")); err != nil {
		delete(p.waiting, id)
		out <- answer{err: err}
	}
	return out
}
