package testenv

import (
	"io"
	"net"
	"os/exec"
	"testing"
	"time"
)

// StartTimeout is how long a server may take until it replies to PING. A test that passes never waits as long.
const StartTimeout = 2 * time.Minute

// StartRedis starts redis-server on a free port, with further arguments, and returns its address, host:port. It ends
// with the test. If redis-server is not installed, Missing is called.
func StartRedis(t testing.TB, args ...string) string {
	t.Helper()
	address, _ := StartRedisProcess(t, args...)
	return address
}

// StartRedisProcess is StartRedis for a test that stops or kills the server itself: it also returns the process.
func StartRedisProcess(t testing.TB, args ...string) (address string, process *exec.Cmd) {
	t.Helper()
	RequirePrograms(t, "redis-server")
	return StartServer(t, "redis-server", args...)
}

// StartServer is StartRedisProcess with another program, which takes the arguments of redis-server.
func StartServer(t testing.TB, program string, args ...string) (address string, process *exec.Cmd) {
	t.Helper()
	address = FreeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	process = exec.Command(program, append([]string{"--bind", "127.0.0.1", "--port", port, "--save", "",
		"--dir", t.TempDir()}, args...)...)
	Start(t, process)
	return AwaitServer(t, address), process
}

// FreeAddress returns an address of this machine, host:port, on which nothing listens. It is not reserved: if another
// process takes the port first, the server that was to use it fails to start, and the test with it.
func FreeAddress(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// AwaitServer waits until a server answers PING, and returns its address. An error is an answer, too: a server with a
// password sends one.
func AwaitServer(t testing.TB, address string) string {
	t.Helper()
	for since := time.Now(); time.Since(since) < StartTimeout; time.Sleep(5 * time.Millisecond) {
		if answersPing(address) {
			return address
		}
	}
	t.Fatalf("no answer from %s", address)
	return ""
}

// answersPing reports whether a server sends at least one byte in reply to an inline PING, within a second.
func answersPing(address string) bool {
	conn, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return false
	}
	_, err = io.ReadFull(conn, make([]byte, 1))
	return err == nil
}
