package load

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// listen serves every connection by a function from a command's words to its raw reply.
func listen(t *testing.T, answer func(args []string) string) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go answerAll(c, answer)
		}
	}()
	return l.Addr().String()
}

// answerAll reads arrays of bulk strings that hold no line ends.
func answerAll(c net.Conn, answer func(args []string) string) {
	defer c.Close()
	for in := bufio.NewScanner(c); in.Scan(); {
		args := make([]string, number(in.Bytes()[1:]))
		for i := range args {
			in.Scan()
			in.Scan()
			args[i] = in.Text()
		}
		if _, err := c.Write([]byte(answer(args))); err != nil {
			return
		}
	}
}

func echo(args []string) string {
	if args[0] == "GET" {
		return "$5\r\nvalue\r\n"
	}
	return "+OK\r\n"
}

func shortSpec(addr string) Spec {
	return Spec{
		Place: Place{Network: TCP, Addr: addr,
			PID: os.Getpid()}, Conns: 3, Batch: 4, Warmup: time.Millisecond, Window: 50 * time.Millisecond,
		Setup: [][]string{{"FLUSHALL"}},
		Steps: []Step{{Args: []string{"SET", KeyDigits, "v"}, Want: "+OK"}, {Args: []string{"GET", KeyDigits}, Want: "$5"}},
	}
}

func TestRun_CountsWholeBatches(t *testing.T) {
	r, err := Run(shortSpec(listen(t, echo)))
	require.NoError(t, err)
	require.Positive(t, r.Ops)
	require.Zero(t, r.Ops%4)
	require.Zero(t, r.Rejected)
	require.GreaterOrEqual(t, r.Elapsed, 50*time.Millisecond)
	require.InDelta(t, float64(r.Ops)/r.Elapsed.Seconds(), r.OpsPerSecond(), 1e-6)
}

func TestRun_CountsRejected(t *testing.T) {
	spec := shortSpec(listen(t, func([]string) string { return ":5\r\n" }))
	spec.Setup, spec.Steps = nil, lockSteps
	r, err := Run(spec)
	require.NoError(t, err)
	require.Equal(t, r.Ops, r.Rejected)
	require.InDelta(t, 1, r.RejectedShare(), 0)
}

func TestRun_Error(t *testing.T) {
	t.Run("in the setup", func(t *testing.T) {
		_, err := Run(shortSpec(listen(t, func([]string) string { return "-ERR no\r\n" })))
		require.EqualError(t, err, `setup: FLUSHALL answered "-ERR no\r\n"`)
	})
	t.Run("under load", func(t *testing.T) {
		_, err := Run(shortSpec(listen(t, func([]string) string { return "+OK\r\n" })))
		require.EqualError(t, err, `GET answered "+OK\r\n", wanted "$5"`)
	})
	t.Run("nobody listens", func(t *testing.T) {
		_, err := Run(shortSpec("127.0.0.1:1"))
		require.ErrorContains(t, err, "connection refused")
	})
}

func TestMain_JSON(t *testing.T) {
	spec, err := json.Marshal(shortSpec(listen(t, echo)))
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, Main(bytes.NewReader(spec), &out))
	var r Result
	require.NoError(t, json.Unmarshal(out.Bytes(), &r))
	require.Positive(t, r.Ops)
	require.Error(t, Main(strings.NewReader("no"), &out))
}
