package server

import (
	"cmp"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"path/filepath"

	"github.com/minilockd/minilockd/internal/certs"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/tlsconf"
)

// TLS makes a server speak TLS on an address of its own, and as before on that of Options.Addr. The zero value takes a
// free port and makes certificates:
//
//	srv := server.StartT(t, server.Options{TLS: &server.TLS{}})
//	rdb := redis.NewClient(&redis.Options{Addr: srv.TLSAddr(), TLSConfig: srv.TLSConfig()})
//
// Connections of Server.Dial are never encrypted.
type TLS struct {
	// Addr is the TCP address to listen on. If it is empty, that is the port tls-port of Options.Config on the addresses
	// bind, or else a free port of 127.0.0.1.
	Addr string
	// Only makes the server listen nowhere else: Server.Addr is the address for TLS, too.
	Only bool
	// ClientCerts makes clients need a certificate (tls-auth-clients yes). That of Server.TLSConfig has one.
	ClientCerts bool
	// Config is used as it is, if it is not nil; lines about certificates, protocols and ciphers have no effect then. If
	// it is nil, the certificate is that of tls-cert-file in Options.Config; without that line, Start makes an authority,
	// and certificates for localhost, 127.0.0.1 and ::1 and for clients, which need to have none unless ClientCerts or
	// a line tls-auth-clients says so.
	Config *tls.Config
}

// errTLSOnly is the error for options that exclude each other.
var errTLSOnly = errors.New("with TLS.Only there must be no Addr or Listener; TLS.Addr is the address")

// usesTLS reports whether the server listens for TLS.
func (o *Options) usesTLS() bool {
	return o.TLS != nil || o.place.tlsPort != "" && o.place.tlsPort != "0"
}

// tlsOptions returns TLS, or the zero value.
func (o *Options) tlsOptions() TLS {
	if o.TLS == nil {
		return TLS{}
	}
	return *o.TLS
}

// listenTLS opens the listeners for TLS, none if it is not used.
func (o *Options) listenTLS() ([]net.Listener, error) {
	if !o.usesTLS() {
		return nil, nil
	}
	if addr := o.tlsOptions().Addr; addr != "" {
		return listenAt("tcp", addr)
	}
	return o.listenBound(cmp.Or(o.place.tlsPort, "0"))
}

// loadTLS makes the options override lines about TLS. Clients need no certificate if nobody has said whether they do,
// and the server's own was generated: a client could have none.
func (o *Options) loadTLS(c *config.Config) error {
	asks := ""
	switch o := o.tlsOptions(); {
	case o.ClientCerts:
		asks = "yes"
	case o.Config != nil && o.Config.ClientAuth == tls.NoClientCert:
		asks = "no"
	}
	if asks == "" && o.usesTLS() && !o.place.asksClients && c.TLS().Generates() {
		asks = "no"
	}
	if asks == "" {
		return nil
	}
	return c.Load("tls-auth-clients", asks)
}

// startTLS makes the configuration for the first connections. Until then the server is known to nobody.
func (s *Server) startTLS(c *config.Config) error {
	c.OnTLS(s.updateTLS)
	if given := s.options.tlsOptions().Config; given != nil {
		s.tls.Store(tlsconf.FromConfig(given))
		return nil
	}
	if !s.options.usesTLS() {
		return nil
	}
	values := c.TLS()
	if values.Generates() {
		var err error
		if s.generated, err = certs.Generate(clock.Real{}.Now()); err != nil {
			return err
		}
	}
	return s.setTLS(values, true)
}

// updateTLS is called before a change of parameters by CONFIG SET.
func (s *Server) updateTLS(values config.TLS, check bool) error {
	used := s.options.usesTLS() || values.Replication || values.Cluster
	if !used || s.options.tlsOptions().Config != nil {
		return nil
	}
	err := s.setTLS(values, check)
	if err != nil {
		s.options.Logger.Warn("TLS can't be set up", "error", err)
	}
	return err
}

// setTLS reads the certificates and uses them for the next connections.
func (s *Server) setTLS(values config.TLS, check bool) error {
	if values.Generates() && s.generated == nil {
		return errNoCertificate
	}
	if check {
		if err := values.NeedsCA(); err != nil {
			return err
		}
	}
	result, err := values.Build(s.generated)
	if err != nil {
		return err
	}
	s.tls.Store(result)
	return nil
}

var errNoCertificate = errors.New("there is no tls-cert-file")

// TLSAddr returns the address for TLS, as host:port; "" if the server does not speak TLS.
func (s *Server) TLSAddr() string {
	if len(s.secure) == 0 {
		return ""
	}
	return s.secure[0].Addr().String()
}

// TLSConfig returns a new configuration for clients: it trusts the server's certificate, names the server and, if Start
// has made the certificates, has one for clients. It is nil if the server does not speak TLS.
func (s *Server) TLSConfig() *tls.Config {
	if r := s.tls.Load(); r != nil && len(s.secure) > 0 {
		return r.ClientConfig()
	}
	return nil
}

// TLSFiles are the names of files in PEM for clients in other languages.
type TLSFiles struct {
	CA        string // certificates of the authorities to trust
	Cert, Key string // a certificate for the client and its key; "" if Start has not made the certificates
}

// WriteTLSFiles writes ca.crt and, if Start has made the certificates, client.crt and client.key to a folder, which it
// makes if there is none.
func (s *Server) WriteTLSFiles(dir string) (files TLSFiles, err error) {
	r := s.tls.Load()
	if r == nil {
		return files, errors.New("the server does not speak TLS")
	}
	write := func(name string, text []byte) (path string) {
		path = filepath.Join(dir, name)
		if err == nil {
			err = os.WriteFile(path, text, 0o600)
		}
		return path
	}
	err = os.MkdirAll(dir, 0o700)
	files.CA = write("ca.crt", certs.PEM(r.ToTrust()...))
	if r.Client != nil {
		key, keyErr := certs.KeyPEM(*r.Client)
		err = cmp.Or(err, keyErr)
		files.Cert, files.Key = write("client.crt", certs.PEM(r.Client.Leaf)), write("client.key", key)
	}
	if err != nil {
		return TLSFiles{}, err
	}
	return files, nil
}
