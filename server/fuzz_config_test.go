package server

import (
	"bytes"
	"context"
	"encoding/binary"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// FuzzConnection_Config feeds arbitrary bytes to clients of a server whose parameters have extreme values. Nothing may
// panic, hang or leak, and another client must get replies. Each input gets its own server, so that it can be repeated.
//
// settings are pairs of a parameter (two bytes) and one of its values (one byte). first and second go to two clients in
// turn, in pieces of piece bytes. shape says of what kind the clients are, and what happens on the way: see fuzzShape.
func FuzzConnection_Config(f *testing.F) {
	parameters := settableParameters(f)
	for _, seed := range configSeeds {
		f.Add(seed.encode(parameters), []byte(seed.first), []byte(seed.second), seed.piece, byte(seed.shape))
	}
	f.Fuzz(func(t *testing.T, settings, first, second []byte, piece uint8, shape byte) {
		if tooMuchWork(first) || tooMuchWork(second) {
			return
		}
		before := runtime.NumGoroutine()
		testCase := newConfigScene(t, parameters, fuzzShape(shape))
		within(t, "the scene", func() {
			testCase.configure(settings)
			testCase.feed(first, second, int(piece))
			testCase.checkOther()
		})
		within(t, "Close", func() { _ = testCase.s.Close() })
		noGoroutineSince(t, before)
	})
}

// fuzzShape is a byte of the input that describes the clients.
type fuzzShape byte

const (
	firstByPipe   fuzzShape = 1 << iota // the first client is served by a goroutine, else by a loop where there are loops
	secondByPipe                        // likewise the second
	withoutSecond                       // there is one client only
	timePasses                          // the clock advances by an hour before the clients disconnect
	closesFirst                         // the first client disconnects while the second sends
)

// tooMuchWork reports whether the input may ask for too much work or memory: long numbers except for lengths in the
// protocol, loops in scripts, other servers, and SHUTDOWN.
func tooMuchWork(data []byte) bool { return len(data) > 1<<13 || tooMuchWords.Match(data) }

var tooMuchWords = regexp.MustCompile(`(?i)(?:^|[^$*\d])\d{7}|\\x3\d|while|for|repeat|goto|debug|shutdown|migrate`)

// configTest is a server with a client that is not fuzzed.
type configTest struct {
	t     testing.TB
	s     *Server
	all   []parameterValues
	path  string // of its socket
	other net.Conn
	shape fuzzShape
	input []byte // names of the parameters set, and all input of the fuzzed clients
}

func newConfigScene(t testing.TB, all []parameterValues, shape fuzzShape) *configTest {
	dir, err := os.MkdirTemp("", "fuzz") // its path is shorter than that of t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	s := StartT(t, Options{UnixSocket: path, ScriptMemory: 16 << 20, Logger: slog.New(panicLog{t})})
	b := &configTest{t: t, s: s, all: all, path: path, shape: shape}
	b.other = b.dial(false)
	return b
}

// panicLog fails the test when a panic is logged.
type panicLog struct{ t testing.TB }

func (l panicLog) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }
func (l panicLog) WithAttrs([]slog.Attr) slog.Handler               { return l }
func (l panicLog) WithGroup(string) slog.Handler                    { return l }

func (l panicLog) Handle(_ context.Context, r slog.Record) error {
	if strings.HasPrefix(r.Message, "panic") {
		l.t.Errorf("%s", r.Message)
		r.Attrs(func(a slog.Attr) bool { l.t.Errorf("%s: %v", a.Key, a.Value); return true })
	}
	return nil
}

// dial connects by a pipe, which a goroutine serves, or by a socket.
func (b *configTest) dial(byPipe bool) net.Conn {
	var nc net.Conn
	if byPipe {
		var served net.Conn
		nc, served = net.Pipe()
		b.s.ServeConn(served)
	} else {
		var err error
		if nc, err = net.Dial("unix", b.path); err != nil {
			b.t.Fatalf("can't connect: %v", err)
		}
	}
	_ = nc.SetDeadline(time.Now().Add(testTimeout))
	return nc
}

// configure sets parameters one by one, and ignores errors.
func (b *configTest) configure(settings []byte) {
	for ; len(settings) >= 3; settings = settings[3:] {
		p := b.all[int(binary.BigEndian.Uint16(settings))%len(b.all)]
		value := p.values[int(settings[2])%len(p.values)]
		b.input = append(b.input, p.name...)
		if reply, err := askLine(b.other, bulks("CONFIG", "SET", p.name, value)); err != nil {
			if !b.mayHaveEndedOther() {
				b.t.Errorf("CONFIG SET %s %q: %q, %v", p.name, value, reply, err)
			}
			return
		}
	}
}

// feed sends the input of the clients, in turn, and waits until the server has closed their connections.
func (b *configTest) feed(first, second []byte, piece int) {
	b.input = append(append(b.input, first...), second...)
	clients := []*fuzzClient{newFuzzClient(b.dial(b.shape&firstByPipe != 0), first)}
	if b.shape&withoutSecond == 0 {
		clients = append(clients, newFuzzClient(b.dial(b.shape&secondByPipe != 0), second))
	}
	for rounds := 0; ; rounds++ {
		more := false
		for _, c := range clients {
			more = c.sendPiece(max(piece, 1)) || more
		}
		if !more {
			break
		}
		if rounds == 1 && b.shape&closesFirst != 0 {
			_ = clients[0].nc.Close()
		}
	}
	if b.shape&timePasses != 0 {
		b.s.Advance(time.Hour)
	}
	for _, c := range clients {
		if err := c.end(); err != nil {
			b.t.Fatalf("the server does not close the connection of a client that has gone: %v", err)
		}
	}
}

// checkOther requires a reply for the other client. It first resets what may delay the reply: parameters, a pause. If
// the client may have been killed it uses a new one.
func (b *configTest) checkOther() {
	b.resetParameters()
	b.s.Advance(3 * time.Hour) // to the end of CLIENT PAUSE
	reply, err := askLine(b.other, "PING\r\n")
	if err != nil && b.mayHaveEndedOther() {
		_ = b.other.Close()
		b.other = b.dial(false)
		reply, err = askLine(b.other, "PING\r\n")
	}
	rejected := regexp.MustCompile(`^-(NOAUTH|NOPERM|MISCONF|NOREPLICAS) `)
	if err != nil || reply != "+PONG\r\n" && !rejected.MatchString(reply) {
		b.t.Errorf("another client got %q, %v", reply, err)
	}
	_ = b.other.Close()
}

func (b *configTest) resetParameters() {
	for _, p := range b.all {
		b.s.env.Config.SetFixed(p.name, p.initial)
	}
	b.s.env.ApplyLimits()
}

// mayHaveEndedOther reports whether the input may close the other client's connection, or the clock has passed its idle
// timeout.
func (b *configTest) mayHaveEndedOther() bool {
	return regexp.MustCompile(`(?i)kill|acl|timeout`).Match(b.input) || b.shape&timePasses != 0
}

// fuzzClient sends bytes and reads everything.
type fuzzClient struct {
	nc   net.Conn
	rest []byte
	read chan error
}

func newFuzzClient(nc net.Conn, data []byte) *fuzzClient {
	c := &fuzzClient{nc: nc, rest: data, read: make(chan error, 1)}
	go func() {
		buffer := make([]byte, 1<<16)
		for {
			if _, err := nc.Read(buffer); err != nil {
				c.read <- err
				return
			}
		}
	}()
	return c
}

// sendPiece reports whether there is more to be sent.
func (c *fuzzClient) sendPiece(size int) bool {
	n := min(size, len(c.rest))
	if n == 0 {
		return false
	}
	if _, err := c.nc.Write(c.rest[:n]); err != nil {
		c.rest = nil // the server has closed the connection, as it may
		return false
	}
	c.rest = c.rest[n:]
	return true
}

// end disconnects the client, and waits until the server has closed the connection. It returns an error if the server
// does not.
func (c *fuzzClient) end() error {
	if half, ok := c.nc.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // the server still serves what was sent
	} else {
		_ = c.nc.Close()
	}
	err := <-c.read
	_ = c.nc.Close()
	if os.IsTimeout(err) {
		return err
	}
	return nil
}

// within fails the test with all stacks if f does not return in time.
func within(t testing.TB, what string, f func()) {
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(2 * testTimeout):
		stacks := make([]byte, 1<<20)
		t.Fatalf("%s hangs\n%s", what, stacks[:runtime.Stack(stacks, true)])
	}
}

// noGoroutineSince waits until there are no more goroutines than before.
func noGoroutineSince(t testing.TB, before int) {
	for wait := time.Now().Add(testTimeout); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(wait) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("goroutines: %d before, %d after\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// askLine sends bytes and reads one line.
func askLine(nc net.Conn, send string) (line string, err error) {
	if _, err := nc.Write([]byte(send)); err != nil {
		return "", err
	}
	var got []byte
	for b := make([]byte, 1); !bytes.HasSuffix(got, []byte("\r\n")); {
		if _, err := nc.Read(b); err != nil {
			return string(got), err
		}
		got = append(got, b[0])
	}
	return string(got), nil
}
