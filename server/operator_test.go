package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestServer_MaxClients(t *testing.T) {
	s := StartT(t)
	first := dial(t, s)
	ask(t, first, "CONFIG SET maxclients 2\r\n", "+OK\r\n")
	second := dial(t, s)
	ask(t, second, "PING\r\n", "+PONG\r\n")
	rejected, err := io.ReadAll(dial(t, s))
	require.NoError(t, err)
	require.Equal(t, "-ERR max number of clients reached\r\n", string(rejected))
	ask(t, first, "CONFIG SET maxclients 3\r\n", "+OK\r\n")
	ask(t, dial(t, s), "PING\r\n", "+PONG\r\n")
	ask(t, first, "CLIENT KILL ID 1 ADDR x\r\n", ":0\r\n")
}

// remoteConn is a connection that comes from another address.
type remoteConn struct {
	net.Conn
	from net.Addr
}

func (c remoteConn) RemoteAddr() net.Addr { return c.from }

// In protected mode clients of other machines are rejected while the default user needs no password.
func TestServer_ProtectedMode(t *testing.T) {
	s := StartT(t)
	operator := dial(t, s)
	elsewhere, here := net.IPv4(192, 0, 2, 1), net.IPv6loopback
	first := func(ip net.IP) string {
		client, end := net.Pipe()
		s.ServeConn(remoteConn{end, &net.TCPAddr{IP: ip, Port: 1}})
		defer client.Close()
		if !s.protectedFrom(&net.TCPAddr{IP: ip}) { // else the server sends an error first
			_, err := client.Write([]byte("PING\r\n"))
			require.NoError(t, err)
		}
		word, _, _ := strings.Cut(readLine(t, client), " ")
		return word
	}
	require.Equal(t, "+PONG", first(elsewhere), "it is off by default")
	ask(t, operator, "CONFIG SET protected-mode yes\r\n", "+OK\r\n")
	require.Equal(t, "-DENIED", first(elsewhere))
	require.Equal(t, "+PONG", first(here))
	ask(t, operator, "CONFIG SET requirepass secret\r\n", "+OK\r\n")
	require.Equal(t, "-NOAUTH", first(elsewhere))
	ask(t, operator, "CONFIG SET requirepass '' protected-mode no\r\n", "+OK\r\n")
	require.Equal(t, "+PONG", first(elsewhere))
}

func TestServer_ClientKill(t *testing.T) {
	s := StartT(t)
	target, admin, other := dial(t, s), dial(t, s), dial(t, s)
	ask(t, other, "PING\r\n", "+PONG\r\n")
	ask(t, target, "SUBSCRIBE news\r\n", "*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n")
	ask(t, admin, "CLIENT KILL TYPE pubsub\r\nCLIENT LIST TYPE pubsub\r\n", ":1\r\n$0\r\n\r\n")
	rest, err := io.ReadAll(target)
	require.NoError(t, err)
	require.Empty(t, rest)
	ask(t, admin, "CLIENT KILL ADDR "+other.LocalAddr().String()+"\r\n", ":1\r\n")
	_, err = io.ReadAll(other)
	require.NoError(t, err)
	ask(t, admin, "CLIENT KILL USER default SKIPME no\r\n", ":1\r\n")
	rest, err = io.ReadAll(admin)
	require.NoError(t, err)
	require.Empty(t, rest)
}

func TestServer_ShutdownCommand(t *testing.T) {
	s := StartT(t)
	nc := dial(t, s)
	_, err := nc.Write([]byte("SHUTDOWN NOSAVE\r\n"))
	require.NoError(t, err)
	<-s.Done()
	_, _ = io.ReadAll(nc) // returns once the connection is closed
	_, err = net.Dial("tcp", s.Addr())
	require.Error(t, err)
}

func TestServer_DescribesItself(t *testing.T) {
	s := StartT(t)
	host, port, err := net.SplitHostPort(s.Addr())
	require.NoError(t, err)
	nc := dial(t, s)
	ask(t, nc, "CONFIG GET port\r\nCONFIG GET bind\r\nCONFIG GET databases\r\n",
		fmt.Sprintf("*2\r\n$4\r\nport\r\n$%d\r\n%s\r\n*2\r\n$4\r\nbind\r\n$%d\r\n%s\r\n*2\r\n$9\r\ndatabases\r\n$2\r\n16\r\n",
			len(port), port, len(host), host))
	_, err = nc.Write([]byte("CLIENT INFO\r\n"))
	require.NoError(t, err)
	lines := bufio.NewReader(nc)
	_, err = lines.ReadString('\n')
	require.NoError(t, err)
	info, err := lines.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, info, " addr="+nc.LocalAddr().String()+" laddr="+s.Addr()+" ")
	require.True(t, strings.HasPrefix(info, "id=1 "))
}

func TestServer_KeyspaceEvents(t *testing.T) {
	s := StartT(t)
	listener, writer := dial(t, s), dial(t, s)
	ask(t, writer, "CONFIG SET notify-keyspace-events Ex\r\n", "+OK\r\n")
	ask(t, listener, "SUBSCRIBE __keyevent@0__:expired\r\n",
		"*3\r\n$9\r\nsubscribe\r\n$22\r\n__keyevent@0__:expired\r\n:1\r\n")
	ask(t, writer, "HSET k f v\r\nPEXPIRE k 1\r\n", ":1\r\n:1\r\n")
	ask(t, listener, "", "*3\r\n$7\r\nmessage\r\n$22\r\n__keyevent@0__:expired\r\n$1\r\nk\r\n")
}
