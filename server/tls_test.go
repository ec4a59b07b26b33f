package server

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/certs"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// dialTLS is dial with TLS. The handshake comes with the first read or write.
func dialTLS(t testing.TB, s *Server) net.Conn {
	t.Helper()
	return tls.Client(dialSecure(t, s), s.TLSConfig())
}

// dialSecure connects to the address for TLS without a handshake.
func dialSecure(t testing.TB, s *Server) net.Conn {
	t.Helper()
	nc, err := net.Dial("tcp", s.TLSAddr())
	require.NoError(t, err)
	t.Cleanup(func() { _ = nc.Close() })
	require.NoError(t, nc.SetDeadline(time.Now().Add(testTimeout)))
	return nc
}

// Without any certificate the server makes its own, and speaks both.
func TestTLS(t *testing.T) {
	s := StartT(t, Options{TLS: &TLS{}})
	require.NotEqual(t, s.Addr(), s.TLSAddr())
	ask(t, dialTLS(t, s), "SET k v\r\n", "+OK\r\n")
	ask(t, dial(t, s), "GET k\r\nCONFIG GET tls-auth-clients\r\n", "$1\r\nv\r\n"+bulks("tls-auth-clients", "no"))

	s = StartT(t)
	require.Empty(t, s.TLSAddr())
	require.Nil(t, s.TLSConfig())
	ask(t, dial(t, s), "CONFIG GET tls-port\r\nCONFIG GET tls-auth-clients\r\n",
		bulks("tls-port", "0")+bulks("tls-auth-clients", "yes"))
	_, err := s.WriteTLSFiles(t.TempDir())
	require.ErrorContains(t, err, "does not speak TLS")
}

// INFO, CONFIG GET and CLIENT LIST show the port for TLS as Redis does.
func TestTLS_Only(t *testing.T) {
	s := StartT(t, Options{Config: "port 0\ntls-port 0", TLS: &TLS{}})
	require.Equal(t, s.Addr(), s.TLSAddr())
	nc := dialTLS(t, s)
	_, port, err := net.SplitHostPort(s.Addr())
	require.NoError(t, err)
	ask(t, nc, "CONFIG GET port tls-port\r\n", bulks("port", "0", "tls-port", port))
	info := bulk(t, nc, "INFO server")
	require.Contains(t, info, "\r\ntcp_port:"+port+"\r\n")
	require.Contains(t, info, "\r\nlistener2:name=tls,bind=127.0.0.1,port="+port+"\r\n")
	require.NotContains(t, info, "listener0")
	require.Contains(t, bulk(t, nc, "CLIENT INFO"), " laddr="+s.Addr()+" ")

	s = StartT(t, Options{TLS: &TLS{}})
	_, port, err = net.SplitHostPort(s.Addr())
	require.NoError(t, err)
	info = bulk(t, dialTLS(t, s), "INFO server")
	require.Contains(t, info, "\r\ntcp_port:"+port+"\r\n")
	require.Contains(t, info, "\r\nlistener0:name=tcp,bind=127.0.0.1,port="+port+"\r\n")
	require.Contains(t, info, "\r\nlistener2:name=tls,")
}

// clientError returns the error of a client that connects and reads.
func clientError(t *testing.T, s *Server, config *tls.Config) error {
	nc := tls.Client(dialSecure(t, s), config)
	if err := nc.Handshake(); err != nil {
		return err
	}
	_, err := nc.Write([]byte("PING\r\n"))
	require.NoError(t, err)
	_, err = nc.Read(make([]byte, 1))
	return err
}

// isLogged waits until the log has a text.
func isLogged(t *testing.T, log *testenv.Buffer, text string) {
	t.Helper()
	eventually(t, "the log has "+text, func() bool { return strings.Contains(log.String(), text) })
}

// A client without a certificate gets an alert if one is demanded, and is no connection in INFO stats.
func TestTLS_ClientCerts(t *testing.T) {
	log := new(testenv.Buffer)
	for _, o := range []Options{{TLS: &TLS{ClientCerts: true}}, {TLS: &TLS{}, Config: "tls-auth-clients yes"}} {
		o.Logger = slog.New(slog.NewTextHandler(log, nil))
		s := StartT(t, o)
		config := s.TLSConfig()
		require.NoError(t, clientError(t, s, config))
		config.Certificates = nil
		require.ErrorContains(t, clientError(t, s, config), "certificate required")
		isLogged(t, log, "client didn't provide a certificate")
		require.Contains(t, log.String(), `msg="TLS handshake failed"`)
		nc := dialTLS(t, s)
		require.Contains(t, bulk(t, nc, "INFO stats"), "total_connections_received:2\r\n")
		ask(t, nc, "CONFIG SET tls-auth-clients optional\r\n", "+OK\r\n")
		require.NoError(t, clientError(t, s, config))
		stranger, err := certs.Generate(time.Now())
		require.NoError(t, err)
		config.Certificates = []tls.Certificate{stranger.Client}
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return &stranger.Client, nil
		}
		require.Error(t, clientError(t, s, config))
	}
}

// A client that trusts another authority ends the handshake, and the log says why.
func TestTLS_ClientThatDoesNotTrust(t *testing.T) {
	log := new(testenv.Buffer)
	s := StartT(t, Options{TLS: &TLS{}, Logger: slog.New(slog.NewTextHandler(log, nil))})
	config := s.TLSConfig()
	config.RootCAs = x509.NewCertPool()
	require.ErrorContains(t, clientError(t, s, config), "unknown authority")
	isLogged(t, log, "remote error: tls: bad certificate")
}

// A client that speaks no TLS is closed, and one that says nothing holds up nobody: it is a client as any other.
func TestTLS_NoHandshake(t *testing.T) {
	log := new(testenv.Buffer)
	s := StartT(t, Options{TLS: &TLS{}, Logger: slog.New(slog.NewTextHandler(log, nil))})
	plain, silent := dialSecure(t, s), dialSecure(t, s)
	_, err := plain.Write([]byte("PING\r\n"))
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, plain)
	require.False(t, os.IsTimeout(err), err)
	isLogged(t, log, "the client does not speak TLS")

	operator := dialTLS(t, s)
	ask(t, operator, "CLIENT KILL "+silent.LocalAddr().String()+"\r\n", "+OK\r\n")
	_, err = io.Copy(io.Discard, silent)
	require.False(t, os.IsTimeout(err), err)
	eventually(t, "it is gone", func() bool { return connections(s) == 1 })
	ask(t, operator, "CONFIG SET maxclients 2\r\n", "+OK\r\n")
	silent = dialSecure(t, s)
	eventually(t, "the client is there", func() bool { return connections(s) == 2 })
	_, err = io.Copy(io.Discard, dialSecure(t, s))
	require.False(t, os.IsTimeout(err), err)
	require.Contains(t, bulk(t, operator, "INFO stats"), "rejected_connections:1\r\n")
	require.NoError(t, s.Close())
	_, err = silent.Read(make([]byte, 1))
	require.Error(t, err)
	require.False(t, os.IsTimeout(err), err)
}

// The time of a handshake is limited.
func TestTLS_HandshakeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer near.Close()
		start := time.Now()
		err := newSecureConn(far, &tls.Config{}).handshake()
		require.ErrorIs(t, handshakeError(err), errHandshakeLimit)
		require.Equal(t, handshakeLimit, time.Since(start))
	})
}

// Whatever ends a connection, the client is told that this is the end.
func TestTLS_CloseNotify(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, s *Server, nc net.Conn){
		"QUIT":      func(t *testing.T, _ *Server, nc net.Conn) { ask(t, nc, "QUIT\r\n", "+OK\r\n") },
		"SHUTDOWN":  func(t *testing.T, s *Server, _ net.Conn) { send(t, dial(t, s), "SHUTDOWN") },
		"Close":     func(_ *testing.T, s *Server, _ net.Conn) { _ = s.Close() },
		"a restart": func(_ *testing.T, s *Server, _ net.Conn) { s.Restart(KeepData()) },
		"CLIENT KILL": func(t *testing.T, s *Server, _ net.Conn) {
			ask(t, dial(t, s), "CLIENT KILL TYPE normal\r\n", ":1\r\n")
		},
		"the client": func(t *testing.T, _ *Server, nc net.Conn) { shutWrite(nc) },
		"an error": func(t *testing.T, _ *Server, nc net.Conn) {
			ask(t, nc, "*x\r\n", "-ERR Protocol error: invalid multibulk length\r\n")
		},
	} {
		for state, enter := range map[string]string{"idle": "PING", "blocked": "PING\r\nBLPOP k 0"} {
			t.Run(name+", "+state, func(t *testing.T) {
				if state == "blocked" && (name == "QUIT" || name == "an error") {
					return // they are not read
				}
				s := StartT(t, Options{TLS: &TLS{}})
				nc := dialTLS(t, s)
				ask(t, nc, enter+"\r\n", "+PONG\r\n")
				end(t, s, nc)
				requireClosed(t, nc)
			})
		}
	}
}

// A client that does not read holds up neither Close nor CLIENT KILL.
func TestTLS_ClosesClientsThatDoNotRead(t *testing.T) {
	s := StartT(t, Options{TLS: &TLS{}})
	nc, operator := dialTLS(t, s), dial(t, s)
	ask(t, operator, "SETRANGE k 67108863 x\r\n", ":67108864\r\n")
	ask(t, nc, "CLIENT ID\r\nGET k\r\n", ":1\r\n$67108864\r\n")
	ask(t, operator, "CLIENT KILL ID 1\r\n", ":1\r\n")
	eventually(t, "it is gone", func() bool { return connections(s) == 1 })
	n, err := io.Copy(io.Discard, nc)
	require.False(t, os.IsTimeout(err), err)
	require.Less(t, n, int64(64<<20))
}

// What a client has sent before it closes its end is answered.
func TestTLS_HalfClosed(t *testing.T) {
	s := StartT(t, Options{TLS: &TLS{}})
	nc := dialTLS(t, s)
	const requests = 10000
	_, err := nc.Write([]byte(strings.Repeat("ECHO 0123456789\r\n", requests)))
	require.NoError(t, err)
	require.NoError(t, nc.(*tls.Conn).CloseWrite())
	replies, err := io.ReadAll(nc)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("$10\r\n0123456789\r\n", requests), string(replies))
}

// Other machines are served without a password only if protected-mode is off; they get the reason over TLS.
func TestTLS_ProtectedMode(t *testing.T) {
	s := StartT(t, Options{TLS: &TLS{}, Config: "protected-mode yes"})
	near, far := net.Pipe()
	defer near.Close()
	s.serveSecure(remote{far})
	nc := tls.Client(near, s.TLSConfig())
	got, err := io.ReadAll(nc)
	require.NoError(t, err)
	require.Equal(t, "-"+protectedMode+"\r\n", string(got))
	require.Contains(t, bulk(t, dialTLS(t, s), "INFO stats"), "rejected_connections:1\r\n")
}

// remote is a connection from another machine.
type remote struct{ net.Conn }

func (remote) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1} }

// A configuration of crypto/tls is used as it is.
func TestTLS_Config(t *testing.T) {
	set, err := certs.Generate(time.Now())
	require.NoError(t, err)
	s := StartT(t, Options{TLS: &TLS{Config: &tls.Config{Certificates: []tls.Certificate{set.Server},
		MaxVersion: tls.VersionTLS12}}})
	config := s.TLSConfig()
	require.NoError(t, clientError(t, s, config))
	config.MinVersion = tls.VersionTLS13
	require.ErrorContains(t, clientError(t, s, config), "protocol version")
	ask(t, dial(t, s), "CONFIG SET tls-cert-file nosuch\r\n", "+OK\r\n")
	require.NoError(t, clientError(t, s, s.TLSConfig()))
}

// files writes the certificates of a set and returns their lines in redis.conf.
func files(t *testing.T, dir string, set *certs.Set) string {
	t.Helper()
	key, err := certs.KeyPEM(set.Server)
	require.NoError(t, err)
	for name, text := range map[string][]byte{
		"ca.crt": certs.PEM(set.CA), "s.crt": certs.PEM(set.Server.Leaf), "s.key": key,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	return "tls-ca-cert-file " + dir + "/ca.crt\ntls-cert-file " + dir + "/s.crt\ntls-key-file " + dir + "/s.key\n"
}

// CONFIG SET reads files again that have changed, and rejects those that don't work.
func TestTLS_ConfigSet(t *testing.T) {
	const failed = "-ERR CONFIG SET failed (possibly related to argument '%s') - " +
		"Unable to update TLS configuration. Check server logs.\r\n"
	dir := t.TempDir()
	first, err := certs.Generate(time.Now())
	require.NoError(t, err)
	second, err := certs.Generate(time.Now())
	require.NoError(t, err)
	s := StartT(t, Options{Config: files(t, dir, first) + "tls-port 0\nport 0", TLS: &TLS{}})
	config := s.TLSConfig()
	var missing *tls.CertificateVerificationError
	require.ErrorContains(t, clientError(t, s, config), "certificate required")
	config.Certificates = []tls.Certificate{first.Client}
	operator := tls.Client(dialSecure(t, s), config)
	ask(t, operator, "CONFIG GET tls-auth-clients\r\n", bulks("tls-auth-clients", "yes"))

	_ = files(t, dir, second)
	ask(t, operator, "CONFIG SET tls-port 0\r\n", "-ERR CONFIG SET failed (possibly related to argument 'tls-port') - "+
		"minilockd listens where it did when it started\r\n")
	ask(t, operator, "CONFIG SET tls-cert-file "+dir+"/s.crt tls-auth-clients no\r\n", "+OK\r\n")
	require.True(t, errors.As(clientError(t, s, config), &missing))
	require.NoError(t, clientError(t, s, s.TLSConfig()))
	for setting, name := range map[string]string{
		"tls-cert-file nosuch":                                   "tls-cert-file",
		"maxclients 100 tls-protocols SSLv3":                     "tls-protocols",
		"tls-auth-clients optional tls-ciphers foo":              "tls-ciphers",
		"tls-ca-cert-file '' tls-auth-clients yes":               "tls-ca-cert-file",
		"tls-cert-file '' tls-key-file ''":                       "tls-cert-file",
		"tls-key-file " + dir + "/ca.crt tls-auth-clients no":    "tls-key-file",
		"tls-key-file-pass x tls-ca-cert-file " + dir + "/s.key": "tls-key-file-pass",
	} {
		ask(t, operator, "CONFIG SET "+setting+"\r\n", strings.Replace(failed, "%s", name, 1))
	}
	ask(t, operator, "CONFIG SET tls-replication yes tls-cluster yes tls-session-caching no tls-protocols TLSv1.2\r\n",
		"+OK\r\n")
	config = s.TLSConfig()
	require.NoError(t, clientError(t, s, config))
	config.MinVersion = tls.VersionTLS13
	require.ErrorContains(t, clientError(t, s, config), "protocol version")
}

// WriteTLSFiles writes what clients need.
func TestTLS_WriteFiles(t *testing.T) {
	s := StartT(t, Options{TLS: &TLS{ClientCerts: true}})
	dir := filepath.Join(t.TempDir(), "new")
	f, err := s.WriteTLSFiles(dir)
	require.NoError(t, err)
	require.Equal(t, TLSFiles{dir + "/ca.crt", dir + "/client.crt", dir + "/client.key"}, f)
	pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
	require.NoError(t, err)
	roots := x509.NewCertPool()
	ca, err := os.ReadFile(f.CA)
	require.NoError(t, err)
	require.True(t, roots.AppendCertsFromPEM(ca))
	for _, name := range []string{"localhost", "127.0.0.1", "::1"} {
		require.NoError(t, clientError(t, s, &tls.Config{RootCAs: roots, ServerName: name,
			Certificates: []tls.Certificate{pair}}))
	}
	_, err = s.WriteTLSFiles(f.CA)
	require.ErrorContains(t, err, "ca.crt")
}
