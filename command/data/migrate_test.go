package data_test

import (
	"bufio"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// fakeTarget accepts connections one after another, replies to each command with the next of its replies, and closes
// the connection after the last.
type fakeTarget struct {
	port     string
	received chan string // each command, its arguments separated by spaces
}

func newFakeTarget(t *testing.T, replies ...string) *fakeTarget {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	f := &fakeTarget{port: port, received: make(chan string, 100)}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			f.serve(conn, replies)
		}
	}()
	return f
}

func (f *fakeTarget) serve(conn net.Conn, replies []string) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for _, reply := range replies {
		args, err := readArgs(in)
		if err != nil {
			return
		}
		f.received <- strings.Join(args, " ")
		_, _ = conn.Write([]byte(reply + "\r\n"))
	}
	_ = conn.(*net.TCPConn).CloseWrite()
	_, _ = io.Copy(io.Discard, in) // closing with unread input would reset the connection and lose replies
}

func readArgs(in *bufio.Reader) ([]string, error) {
	n, err := readCount(in)
	args := make([]string, n)
	for i := 0; i < n && err == nil; i++ {
		var size int
		if size, err = readCount(in); err == nil {
			arg := make([]byte, size+len("\r\n"))
			_, err = io.ReadFull(in, arg)
			args[i] = string(arg[:size])
		}
	}
	return args, err
}

// readCount reads a line of a type byte and a number.
func readCount(in *bufio.Reader) (int, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(line[1:]))
}

// unusedPort returns a port on which no server listens.
func unusedPort(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

const targetSays = "ERR Target instance replied with error: "

func TestMigrate_Arguments(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	dead := unusedPort(t)
	c.Want(
		"MIGRATE h 1 k 0 100", "NOKEY",
		"SET k v", "OK",
		"MIGRATE 127.0.0.1 "+dead+" k 0 5000 COPY REPLACE AUTH pw", "IOERR error or timeout writing to target instance",
		"MIGRATE 127.0.0.1 zz k 0 5000", "IOERR error or timeout writing to target instance",
		"MIGRATE 127.0.0.1 99999 k 0 5000", "IOERR error or timeout connecting to the client",
		"MIGRATE h 1 '' 0 100 KEYS l", "NOKEY",
		"MIGRATE h 1 k 0 100 KEYS l",
		"ERR When using MIGRATE KEYS option, the key argument must be set to the empty string",
		"MIGRATE h 1 k 0 x", "ERR value is not an integer or out of range",
		"MIGRATE h 1 k x 100", "ERR value is not an integer or out of range",
		"MIGRATE h 1 k 0 100 foo", "ERR syntax error",
		"MIGRATE h 1 k 0 100 AUTH2 u", "ERR syntax error",
		"COMMAND GETKEYS MIGRATE h 1 '' 0 100 AUTH keys KEYS a b", `["a" "b"]`,
		"COMMAND GETKEYS MIGRATE h 1 k 0 100", `["k"]`,
		"EXISTS k", "1",
	)
}

func TestMigrate_SendsRestore(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	target := newFakeTarget(t, "+OK", "+OK", "+OK", "+OK")
	c.Want("SET a v", "OK", "SET b v", "OK",
		"MIGRATE 127.0.0.1 "+target.port+" '' 3 5000 REPLACE AUTH2 u pw KEYS a none b", "OK", "EXISTS a b", "0")
	require.Equal(t, "AUTH u pw", <-target.received)
	require.Equal(t, "SELECT 3", <-target.received)
	for _, key := range []string{"a", "b"} {
		args := strings.Split(<-target.received, " ")
		require.Equal(t, []string{"RESTORE", key, "0"}, args[:3])
		require.Equal(t, "REPLACE", args[len(args)-1])
	}
}

func TestMigrate_DeletesStoredKeys(t *testing.T) {
	for _, test := range []struct {
		name, options string
		replies       []string
		want, left    string
	}{
		{"all", "", []string{"+OK", "+OK", "+OK"}, "OK", "0"},
		{"copies", "COPY", []string{"+OK", "+OK", "+OK"}, "OK", "2"},
		{"a key is refused", "", []string{"+OK", "-BUSYKEY x", "+OK"}, targetSays + "BUSYKEY x", "1"},
		{"the first refusal counts", "", []string{"+OK", "-A", "-B"}, targetSays + "A", "2"},
		{"no such database", "", []string{"-ERR db", "+OK", "-B"}, targetSays + "ERR db", "2"},
		{"wrong password", "AUTH pw", []string{"-WRONGPASS x", "-NOAUTH", "+OK", "+OK"}, targetSays + "WRONGPASS x",
			"2"},
		{"hangs up at once", "", nil, "IOERR error or timeout reading to target instance", "2"},
		{"hangs up after the first key", "", []string{"+OK", "+OK"},
			"IOERR error or timeout reading to target instance", "1"},
		{"hangs up after a refusal", "", []string{"+OK", "-A"}, targetSays + "A", "2"},
		{"an endless reply", "", []string{"+" + strings.Repeat("x", 8<<10)},
			"IOERR error or timeout reading to target instance", "2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			env, _ := commandtest.NewEnv(t)
			c := commandtest.NewClient(t, env)
			target := newFakeTarget(t, test.replies...)
			c.Want("MSET a v b v", "OK")
			got := c.Do("MIGRATE 127.0.0.1 " + target.port + " '' 0 5000 " + test.options + " KEYS a b")
			require.Equal(t, test.want, got)
			require.Equal(t, test.left, c.Do("EXISTS a b"))
		})
	}
}

// The target accepts the connection and never replies.
func TestMigrate_Timeout(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	c.Want("SET k v", "OK", "MIGRATE 127.0.0.1 "+port+" k 0 20", "IOERR error or timeout reading to target instance",
		"EXISTS k", "1")
}

// A script that uses an undeclared key after MIGRATE restarts. MIGRATE must not send the key twice.
func TestMigrate_SendsOnceInRestartedScript(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	target := newFakeTarget(t, "+OK", "+OK")
	c.Want("SET k v", "OK")
	script := "local r = redis.call('MIGRATE','127.0.0.1',ARGV[1],KEYS[1],0,5000)\n" +
		"for i = 1, 100 do redis.call('GET', 'other' .. i) end return r"
	got := c.DoArgs([]byte("EVAL"), []byte(script), []byte("1"), []byte("k"), []byte(target.port))
	require.Equal(t, "OK", got)
	require.Equal(t, "0", c.Do("EXISTS k"))
	require.Len(t, target.received, 2)
}
