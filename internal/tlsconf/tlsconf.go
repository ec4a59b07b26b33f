// Package tlsconf makes a tls.Config of the lines of redis.conf about TLS.
package tlsconf

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/minilockd/minilockd/internal/certs"
)

// Parameters are the values of lines of redis.conf, each with the name of its line without "tls-". Empty is not given.
type Parameters struct {
	CertFile, KeyFile, KeyFilePass string
	CACertFile, CACertDir          string
	AuthClients                    string // no, optional or yes
	Protocols, Ciphers             string
	NoSessions                     bool // session-caching no
}

// Result is what servers and clients need.
type Result struct {
	Server  *tls.Config
	Trusted []*x509.Certificate // the authorities; a client trusts them and the server's certificate
	Client  *tls.Certificate    // for clients, if it was generated; else nil
	own     *x509.Certificate   // that of the server
}

var (
	errNoCert = errors.New("tls-key-file is given, and no tls-cert-file")
	errNoKey  = errors.New("tls-cert-file is given, and no tls-key-file")
	errNoCA   = errors.New("tls-ca-cert-file or tls-ca-cert-dir is needed, since clients must have certificates: " +
		"see tls-auth-clients")
)

// Generates reports whether no certificate is given, so that Build uses a generated one.
func (p Parameters) Generates() bool { return p.CertFile == "" && p.KeyFile == "" }

// NeedsCA returns an error if clients must have certificates, and nothing is given to check them by.
func (p Parameters) NeedsCA() error {
	hasCert, hasCA := p.CertFile != "" && p.KeyFile != "", p.CACertFile != "" || p.CACertDir != ""
	if p.AuthClients != "no" && hasCert && !hasCA {
		return errNoCA
	}
	return nil
}

// Build reads the files. Without tls-cert-file and tls-key-file the certificates are those of generated.
func (p Parameters) Build(generated *certs.Set) (*Result, error) {
	r := new(Result)
	cert, err := p.certificate(generated)
	if err != nil {
		return nil, err
	}
	if r.Trusted, err = p.authorities(); err != nil {
		return nil, err
	}
	if p.Generates() {
		r.Trusted = append(r.Trusted, generated.CA)
		r.Client = &generated.Client
	}
	r.own = cert.Leaf
	r.Server = &tls.Config{
		Certificates:           []tls.Certificate{cert},
		ClientCAs:              pool(r.Trusted),
		ClientAuth:             clientAuth[p.AuthClients],
		SessionTicketsDisabled: p.NoSessions,
	}
	if r.Server.MinVersion, r.Server.MaxVersion, err = versions(p.Protocols); err != nil {
		return nil, err
	}
	r.Server.CipherSuites, err = cipherSuites(p.Ciphers)
	return r, err
}

// clientAuth is by the value of tls-auth-clients.
var clientAuth = map[string]tls.ClientAuthType{
	"no":       tls.NoClientCert,
	"optional": tls.VerifyClientCertIfGiven,
	"yes":      tls.RequireAndVerifyClientCert,
}

// FromConfig returns the result for a server that is configured by a tls.Config. Clients trust its certificates.
func FromConfig(server *tls.Config) *Result {
	r := &Result{Server: server}
	for _, c := range server.Certificates {
		for i, der := range c.Certificate {
			if parsed, err := x509.ParseCertificate(der); err == nil {
				r.Trusted = append(r.Trusted, parsed)
				if i == 0 && r.own == nil {
					r.own = parsed
				}
			}
		}
	}
	return r
}

// ClientConfig returns a new configuration for clients of the server.
func (r *Result) ClientConfig() *tls.Config {
	c := &tls.Config{RootCAs: pool(r.ToTrust())}
	if r.own != nil {
		c.ServerName = nameOf(r.own)
	}
	if r.Client != nil {
		c.Certificates = []tls.Certificate{*r.Client}
	}
	return c
}

// ToTrust returns the certificates that a client should trust: the authorities, and the server's own unless one of
// them has signed it.
func (r *Result) ToTrust() []*x509.Certificate {
	if r.own == nil || slices.ContainsFunc(r.Trusted, func(ca *x509.Certificate) bool {
		return r.own.CheckSignatureFrom(ca) == nil
	}) {
		return r.Trusted
	}
	return append(slices.Clone(r.Trusted), r.own)
}

// Own returns the certificate of the server; nil if it is not known.
func (r *Result) Own() *x509.Certificate { return r.own }

// nameOf returns a name that the certificate is for: localhost if possible; "" if there is none.
func nameOf(c *x509.Certificate) string {
	switch {
	case c.VerifyHostname("localhost") == nil:
		return "localhost"
	case len(c.IPAddresses) > 0:
		return c.IPAddresses[0].String()
	case len(c.DNSNames) > 0:
		return c.DNSNames[0]
	}
	return ""
}

func pool(all []*x509.Certificate) *x509.CertPool {
	p := x509.NewCertPool()
	for _, c := range all {
		p.AddCert(c)
	}
	return p
}

func (p Parameters) certificate(generated *certs.Set) (c tls.Certificate, err error) {
	switch {
	case p.Generates():
		return generated.Server, nil
	case p.CertFile == "":
		return c, errNoCert
	case p.KeyFile == "":
		return c, errNoKey
	}
	cert, err := os.ReadFile(p.CertFile)
	if err != nil {
		return c, err
	}
	key, err := os.ReadFile(p.KeyFile)
	if err != nil {
		return c, err
	}
	if key, err = withoutPassword(key, p.KeyFilePass); err != nil {
		return c, fmt.Errorf("%s: %w", p.KeyFile, err)
	}
	if c, err = tls.X509KeyPair(cert, key); err != nil {
		return c, fmt.Errorf("%s and %s: %w", p.CertFile, p.KeyFile, err)
	}
	return c, nil
}

// authorities returns the certificates of CACertFile, and of all files in CACertDir that have some. A folder that can't
// be read is empty, as in Redis.
func (p Parameters) authorities() (all []*x509.Certificate, err error) {
	if p.CACertFile != "" {
		text, err := os.ReadFile(p.CACertFile)
		if err != nil {
			return nil, err
		}
		if all = certificatesIn(text); len(all) == 0 {
			return nil, fmt.Errorf("%s has no certificates", p.CACertFile)
		}
	}
	if p.CACertDir == "" {
		return all, nil
	}
	entries, _ := os.ReadDir(p.CACertDir)
	for _, e := range entries {
		if text, err := os.ReadFile(filepath.Join(p.CACertDir, e.Name())); err == nil {
			all = append(all, certificatesIn(text)...)
		}
	}
	return all, nil
}
