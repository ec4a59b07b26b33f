package server

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
)

// secureConn is a connection with TLS. Its handshake is the first thing that the goroutine of the connection does, so
// that it delays no other, and CLIENT LIST, CLIENT KILL and Close know the connection meanwhile.
type secureConn struct {
	*tls.Conn
	raw         net.Conn
	established atomic.Bool // the handshake is over
	broken      atomic.Bool // a write has failed
}

const (
	handshakeLimit = 10 * time.Second       // for the whole handshake, on real time
	alertLimit     = 100 * time.Millisecond // for the alert at the end, which a client may have no room for
)

func newSecureConn(nc net.Conn, config *tls.Config) *secureConn {
	return &secureConn{Conn: tls.Server(impatient{nc}, config), raw: nc}
}

// impatient lets the alert close_notify wait no longer than alertLimit: only for that, crypto/tls sets a deadline.
type impatient struct{ net.Conn }

// SetWriteDeadline implements net.Conn.
func (c impatient) SetWriteDeadline(t time.Time) error {
	if latest := (clock.Real{}).Now().Add(alertLimit); t.After(latest) {
		t = latest
	}
	return c.Conn.SetWriteDeadline(t)
}

// handshake returns once the client has agreed on TLS, or when the time is over.
func (c *secureConn) handshake() error {
	_ = c.raw.SetDeadline(clock.Real{}.Now().Add(handshakeLimit))
	if err := c.Handshake(); err != nil {
		return err
	}
	_ = c.raw.SetDeadline(time.Time{})
	c.established.Store(true)
	return nil
}

// SetReadDeadline implements net.Conn. A handshake that it interrupted could not be continued.
func (c *secureConn) SetReadDeadline(t time.Time) error {
	if !c.established.Load() {
		return nil
	}
	return c.raw.SetReadDeadline(t)
}

// Write implements net.Conn.
func (c *secureConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	if err != nil {
		c.broken.Store(true)
	}
	return n, err
}

// Close implements net.Conn. It tells the client that this is the end, if the stream is intact.
func (c *secureConn) Close() error {
	if !c.established.Load() || c.broken.Load() {
		return c.raw.Close()
	}
	return c.Conn.Close()
}

// interrupt makes reads and writes fail, so that the goroutine which they hold up calls Close. Close itself may wait.
func (c *secureConn) interrupt() {
	if !c.established.Load() {
		_ = c.raw.Close()
		return
	}
	_ = c.raw.SetDeadline(time.Unix(1, 0))
}

// serveSecure serves a connection on which TLS begins. A client that is one too many gets no error, as with Redis: it
// could not read that.
func (s *Server) serveSecure(nc net.Conn) {
	s.admit(nc, func() {
		if s.full() {
			s.env.Stats.Rejected.Add(1)
			_ = nc.Close()
			return
		}
		s.beginTLS(nc)
	})
}

func (s *Server) beginTLS(nc net.Conn) {
	secure := newSecureConn(nc, s.tls.Load().Server)
	d := s.newGoroutineDriver(secure)
	d.secure = secure
	s.begin(d)
}

// handshake reports whether the client has agreed on TLS and may use the server. A wake-up that has come meanwhile is
// followed now.
func (d *goroutineDriver) handshake() bool {
	s := d.conn.server
	err := d.secure.handshake()
	if d.isKilled() {
		return false
	}
	if err != nil {
		s.options.Logger.Warn("TLS handshake failed", "client", d.conn.session.ID, "address", d.conn.session.Addr,
			"error", handshakeError(err))
		return false
	}
	if s.protectedFrom(d.nc.RemoteAddr()) {
		s.env.Stats.Rejected.Add(1)
		_ = d.secure.raw.SetDeadline(clock.Real{}.Now().Add(time.Second))
		_, _ = io.WriteString(d.nc, "-"+protectedMode+"\r\n")
		return false
	}
	s.env.Stats.Connections.Add(1)
	if len(d.woken) > 0 {
		d.wake()
	}
	return true
}

var errHandshakeLimit = errors.New("the client has not finished within " + handshakeLimit.String())

// handshakeError explains errors that the client's user has to understand.
func handshakeError(err error) error {
	var noTLS tls.RecordHeaderError
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errHandshakeLimit
	case errors.As(err, &noTLS):
		return errors.New("the client does not speak TLS: " + noTLS.Msg)
	case errors.Is(err, io.EOF):
		return errors.New("the client has closed the connection")
	case strings.Contains(err.Error(), "bad record MAC"): // OpenSSL's alert in TLS 1.3 looks like that
		return fmt.Errorf("%w: the client may not trust the certificate", err)
	}
	return err
}
