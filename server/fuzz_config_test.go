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

// FuzzConnection_Config feeds arbitrary bytes to clients of a server whose parameters have extreme values. Whatever
// both are, nothing panics, hangs or leaks, and another client is answered. Each input has a server of its own, so that
// it can be repeated.
//
// settings are pairs of a parameter (two bytes) and one of its values (one byte). first and second go to two clients in
// turn, in pieces of piece bytes. shape says of what kind the clients are, and what happens on the way: see fuzzShape.
func FuzzConnection_Config(f *testing.F) {
	parameters := settableParameters(f)
	for _, seed := range configSeeds {
		f.Add(seed.encode(parameters), []byte(seed.first), []byte(seed.second), seed.piece, byte(seed.shape))
	}
	f.Fuzz(func(t *testing.T, settings, first, second []byte, piece uint8, shape byte) {
		if unboundedWork(first) || unboundedWork(second) {
			return
		}
		before := runtime.NumGoroutine()
		scene := newConfigScene(t, parameters, fuzzShape(shape))
		within(t, "the scene", func() {
			scene.configure(settings)
			scene.feed(first, second, int(piece))
			scene.checkOther()
		})
		within(t, "Close", func() { _ = scene.s.Close() })
		noGoroutineSince(t, before)
	})
}

// fuzzShape is what a byte of the input says of the clients.
type fuzzShape byte

const (
	firstByPipe   fuzzShape = 1 << iota // the first client is served by a goroutine, else by a loop where there are loops
	secondByPipe                        // likewise the second
	withoutSecond                       // there is one client only
	timePasses                          // the clock moves on by an hour before the clients go
	closesFirst                         // the first client goes in the middle of what the second sends
)

// unboundedWork reports whether a client may ask for so much work or memory that it proves nothing: long numbers but
// for lengths in the protocol, loops in scripts, other servers, and the end of this one.
func unboundedWork(data []byte) bool { return len(data) > 1<<13 || unboundedWords.Match(data) }

var unboundedWords = regexp.MustCompile(`(?i)(?:^|[^$*\d])\d{7}|\\x3\d|while|for|repeat|goto|debug|shutdown|migrate`)

// configScene is a server with a client that has nothing to do with those that are fuzzed.
type configScene struct {
	t     testing.TB
	s     *Server
	all   []extremes
	path  string // of its socket
	other net.Conn
	shape fuzzShape
	said  []byte // names of what was set, and all that the fuzzed clients sent
}

func newConfigScene(t testing.TB, all []extremes, shape fuzzShape) *configScene {
	folder, err := os.MkdirTemp("", "fuzz") // its path is shorter than that of t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	path := filepath.Join(folder, "s")
	s := StartT(t, Options{UnixSocket: path, ScriptMemory: 16 << 20, Logger: slog.New(panicLog{t})})
	b := &configScene{t: t, s: s, all: all, path: path, shape: shape}
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
func (b *configScene) dial(byPipe bool) net.Conn {
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
	_ = nc.SetDeadline(time.Now().Add(patience))
	return nc
}

// configure sets parameters one by one; what is refused stays as it is.
func (b *configScene) configure(settings []byte) {
	for ; len(settings) >= 3; settings = settings[3:] {
		p := b.all[int(binary.BigEndian.Uint16(settings))%len(b.all)]
		value := p.values[int(settings[2])%len(p.values)]
		b.said = append(b.said, p.name...)
		if reply, err := askLine(b.other, bulks("CONFIG", "SET", p.name, value)); err != nil {
			if !b.mayHaveEndedOther() {
				b.t.Errorf("CONFIG SET %s %q: %q, %v", p.name, value, reply, err)
			}
			return
		}
	}
}

// feed sends what the clients have to say, in turn, and waits until the server has closed their connections.
func (b *configScene) feed(first, second []byte, piece int) {
	b.said = append(append(b.said, first...), second...)
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

// checkOther asks for a sign of life. What may rightly keep the other client from being answered is undone before:
// parameters, a pause. If it may have been killed another one is asked.
func (b *configScene) checkOther() {
	b.resetParameters()
	b.s.Advance(3 * time.Hour) // to the end of CLIENT PAUSE
	reply, err := askLine(b.other, "PING\r\n")
	if err != nil && b.mayHaveEndedOther() {
		_ = b.other.Close()
		b.other = b.dial(false)
		reply, err = askLine(b.other, "PING\r\n")
	}
	refused := regexp.MustCompile(`^-(NOAUTH|NOPERM|MISCONF|NOREPLICAS) `)
	if err != nil || reply != "+PONG\r\n" && !refused.MatchString(reply) {
		b.t.Errorf("another client got %q, %v", reply, err)
	}
	_ = b.other.Close()
}

func (b *configScene) resetParameters() {
	for _, p := range b.all {
		b.s.env.Config.Fix(p.name, p.initial)
	}
	b.s.env.ApplyLimits()
}

// mayHaveEndedOther reports whether clients said what closes others' connections, or the time for the idle has passed.
func (b *configScene) mayHaveEndedOther() bool {
	return regexp.MustCompile(`(?i)kill|acl|timeout`).Match(b.said) || b.shape&timePasses != 0
}

// fuzzClient sends bytes and reads whatever comes.
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

// end has the client go, and waits until the server has let it go. The error is that of one who waits for ever.
func (c *fuzzClient) end() error {
	if half, ok := c.nc.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // what is on its way is still served
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

// within fails the test if f takes for ever, and tells where everybody stands.
func within(t testing.TB, what string, f func()) {
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(2 * patience):
		stacks := make([]byte, 1<<20)
		t.Fatalf("%s hangs\n%s", what, stacks[:runtime.Stack(stacks, true)])
	}
}

// noGoroutineSince waits until there are no more goroutines than there were.
func noGoroutineSince(t testing.TB, before int) {
	for wait := time.Now().Add(patience); runtime.NumGoroutine() > before; runtime.Gosched() {
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
