package growth

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minilockd/minilockd/bench/internal/target"
	"github.com/minilockd/minilockd/internal/require"
)

// BenchmarkLargeReply measures GET of one large value, and the server's peak memory.
func BenchmarkLargeReply(b *testing.B) {
	for _, megabytes := range []int{1, 16, 128, 256} {
		b.Run(fmt.Sprint(megabytes, "MB"), func(b *testing.B) {
			startServers(b, func(b *testing.B, s target.Server) { largeReply(b, s, megabytes<<20) }, target.Reference,
				"minilockd")
		})
	}
}

func largeReply(b *testing.B, s target.Server, size int) {
	c := connect(b, s)
	defer c.Close()
	c.ask(b, exchange{fmt.Sprint("SETRANGE large ", size-1, " x"), 1, fmt.Sprint(":", size)})
	length := int64(len(fmt.Sprintf("$%d\r\n\r\n", size)) + size)
	for b.Loop() {
		c.send(b, "GET large")
		_, err := io.CopyN(io.Discard, c.Conn, length)
		require.NoError(b, err)
	}
	b.SetBytes(length)
	b.ReportMetric(peak(b, s)/(1<<20), "MB-peak")
}

// BenchmarkSlowSubscribers sends large messages to subscribers that read only afterwards. It reports the time,
// the longest wait of another client during it, and the server's peak memory.
func BenchmarkSlowSubscribers(b *testing.B) {
	startServers(b, func(b *testing.B, s target.Server) {
		tell(b, s, "CONFIG", "SET", "client-output-buffer-limit", "pubsub 0 0 0")
		for b.Loop() {
			slowSubscribers(b, s, 60, 400, strings.Repeat("x", 100_000))
		}
		b.ReportMetric(peak(b, s)/(1<<20), "MB-peak")
	}, target.Reference, "minilockd")
}

func slowSubscribers(b *testing.B, s target.Server, subscribers, messages int, text string) {
	slow := connectMany(b, s, subscribers, exchange{"SUBSCRIBE channel", 6, ":1"})
	defer slow.close()
	publisher, other := connect(b, s), connect(b, s)
	defer publisher.Close()
	defer other.Close()
	worst := time.Duration(0)
	for range messages {
		publisher.ask(b, exchange{"*3\r\n$7\r\nPUBLISH\r\n$7\r\nchannel\r\n" + fmt.Sprintf("$%d\r\n%s", len(text), text), 1,
			fmt.Sprint(":", subscribers)})
		start := time.Now()
		other.ask(b, ping)
		worst = max(worst, time.Since(start))
	}
	b.ReportMetric(float64(worst.Microseconds()), "us-worst")
	each := int64(messages) * int64(len(fmt.Sprintf("*3\r\n$7\r\nmessage\r\n$7\r\nchannel\r\n$%d\r\n%s\r\n", len(text),
		text)))
	var readers sync.WaitGroup
	failed := make([]error, subscribers)
	for i, c := range slow.clients {
		readers.Go(func() { failed[i] = discard(c, each) })
	}
	readers.Wait()
	require.NoError(b, errors.Join(failed...))
}

// discard reads a subscriber's messages, in large pieces.
func discard(c client, n int64) error {
	buffer := make([]byte, 256<<10)
	for n > 0 {
		got, err := c.Read(buffer[:min(n, int64(len(buffer)))])
		if n -= int64(got); err != nil {
			return err
		}
	}
	return nil
}

var peakLine = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peak returns the largest resident memory of the process, in bytes; 0 if the system does not report it.
func peak(b *testing.B, s target.Server) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Place.PID))
	if os.IsNotExist(err) {
		return 0
	}
	require.NoError(b, err)
	var kb float64
	_, err = fmt.Sscan(string(peakLine.FindSubmatch(status)[1]), &kb)
	require.NoError(b, err)
	return kb * 1024
}
