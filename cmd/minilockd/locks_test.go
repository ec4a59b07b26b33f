package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// sendLines sends commands as lines, and waits for the last reply.
func sendLines(t *testing.T, addr string, lines ...string) {
	nc, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer nc.Close()
	go func() {
		_, _ = io.WriteString(nc, strings.Join(lines, "\r\n")+"\r\nPING\r\n")
	}()
	var seen bytes.Buffer
	buf := make([]byte, 64<<10)
	for !strings.HasSuffix(seen.String(), "+PONG\r\n") {
		n, err := nc.Read(buf)
		require.NoError(t, err)
		seen.Write(buf[:n])
		seen.Next(max(0, seen.Len()-100))
	}
}

const lockOwner = "01234567-89ab-cdef-0123-456789abcdef"

func TestLocks_PrintsThoseOfAServer(t *testing.T) {
	srv := server.StartT(t)
	srv.Clock().Freeze()
	sendLines(t, srv.Addr(), "HSET order:1 "+lockOwner+":7 2", "PEXPIRE order:1 1500", "SET counter 1",
		"SET text word EX 10", "HSET {rw} mode write "+lockOwner+":8:write 1", "SET job "+lockOwner+" NX PX 900", "SELECT 3",
		"HSET order:2 "+lockOwner+":9 1")
	run := func(args ...string) string {
		var out, errs bytes.Buffer
		require.Zero(t, runLocks(args, &out, &errs))
		require.Empty(t, errs.String())
		return out.String()
	}
	const heading = "DB  LOCK     KIND                HOLDER                                          " +
		"HOLDS  LEASE  WAITERS\n"
	require.Equal(t, heading+
		"0   job      token               01234567-89ab-cdef-0123-456789abcdef            1      900ms  \n"+
		"0   order:1  lock                01234567-89ab-cdef-0123-456789abcdef:7          2      1.5s   \n"+
		"0   {rw}     read-write (write)  01234567-89ab-cdef-0123-456789abcdef:8 (write)  1      none   \n",
		run("redis://"+srv.Addr()))
	require.Contains(t, run("order:*", srv.Addr()+"/3"), "3   order:2  lock  01234567-89ab-cdef-0123-456789abcdef:9  1")
	all := run("--all", "order:*", srv.Addr())
	require.Contains(t, all, "order:1")
	require.Contains(t, all, "order:2")
	require.Equal(t, all, run("order:*", srv.Addr(), "--all"))
	require.Equal(t, "no locks\n", run("x*", srv.Addr()))
}

func TestLocks_Errors(t *testing.T) {
	srv := server.StartT(t, server.Options{Password: "secret"})
	for _, test := range []struct {
		status int
		text   string
		args   []string
	}{
		{2, "the URL of one server is expected", nil},
		{2, "the URL of one server is expected", []string{"redis://one", "redis://two"}},
		{2, "minilockd locks: flag provided but not defined: -bogus; see minilockd locks --help\n", []string{"--bogus", "x"}},
		{2, "--interval must be positive", []string{"--interval", "0s", "x"}},
		{1, "a URL like redis://", []string{"http://localhost"}},
		{1, "NOAUTH Authentication required.", []string{srv.Addr()}},
		{1, "WRONGPASS", []string{"redis://:wrong@" + srv.Addr()}},
		{1, "ERR DB index is out of range", []string{"redis://:secret@" + srv.Addr() + "/99"}},
		{0, "", []string{"redis://:secret@" + srv.Addr()}},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, test.status, runLocks(test.args, &out, &errs), errs.String())
		require.Contains(t, errs.String(), test.text)
	}
}

// With --watch a table follows whenever a lock has changed hands.
func TestLocks_Watch(t *testing.T) {
	srv := server.StartT(t)
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- printLocks(ctx, lockSettings{url: srv.Addr(), pattern: "*", watch: true, interval: 1}, w)
	}()
	read := func(want string) {
		var seen string
		for buf := make([]byte, 4096); !strings.Contains(seen, want); {
			n, err := r.Read(buf)
			require.NoError(t, err)
			seen += string(buf[:n])
		}
	}
	read("no locks")
	sendLines(t, srv.Addr(), "HSET order:1 "+lockOwner+":7 2")
	read("order:1")
	sendLines(t, srv.Addr(), "DEL order:1")
	read("no locks")
	stop()
	_ = r.Close()
	<-ended
}

// BenchmarkLocks reads 10,000 locks of a server.
func BenchmarkLocks(b *testing.B) {
	srv, err := server.Start(b.Context(), server.Options{})
	require.NoError(b, err)
	defer srv.Close()
	nc, err := net.Dial("tcp", srv.Addr())
	require.NoError(b, err)
	defer nc.Close()
	const count = 10_000
	for i := range count {
		fmt.Fprintf(nc, "HSET order:%d %s:7 1\r\n", i, lockOwner)
	}
	_, err = io.ReadFull(nc, make([]byte, count*len(":1\r\n")))
	require.NoError(b, err)
	for b.Loop() {
		var out bytes.Buffer
		require.Zero(b, runLocks([]string{srv.Addr()}, &out, &out))
		require.Equal(b, count+1, strings.Count(out.String(), "\n"))
	}
}
