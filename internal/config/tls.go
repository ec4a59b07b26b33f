package config

import (
	"errors"

	"github.com/minilockd/minilockd/internal/tlsconf"
)

// tlsRole says what CONFIG SET does with a parameter about TLS.
type tlsRole uint8

const (
	notTLS     tlsRole = iota
	tlsValue           // another value is tried with the certificates, and rejected if they don't work
	tlsFile            // as tlsValue, and the same value reads the file again
	tlsAccepts         // takes effect for the next connection, whatever it is
)

// tlsParameters set up TLS. Those that Go can't follow are in ignoredTLS.
var tlsParameters = []parameter{
	{name: "tls-port", value: "0", mutable: pinned, kind: integerValue(0, 65535), reason: ErrPlace},
	{name: "tls-auth-clients", value: "yes", kind: oneOfValue("no", "yes", "optional"), tls: tlsAccepts},
	{name: "tls-ca-cert-dir", tls: tlsFile},
	{name: "tls-ca-cert-file", tls: tlsFile},
	{name: "tls-cert-file", tls: tlsFile},
	{name: "tls-ciphers", tls: tlsValue},
	{name: "tls-key-file", tls: tlsFile},
	{name: "tls-key-file-pass", tls: tlsValue},
	{name: "tls-protocols", tls: tlsValue},
	{name: "tls-session-caching", value: "yes", kind: yesNoValue, tls: tlsValue},
}

// errTLS is the reply of CONFIG SET for what TLS can't be set up with; the log has the reason.
var errTLS = errors.New("Unable to update TLS configuration. Check server logs.")

// TLS is the parameters about TLS at one time.
type TLS struct {
	tlsconf.Parameters
	Replication, Cluster bool
}

// OnTLS sets the function that is called with the new values when CONFIG SET changes them; its error rejects them.
// Whether that may be so says check. The function must not use the Config. It is called before the server starts.
func (c *Config) OnTLS(apply func(values TLS, check bool) error) { c.applyTLS = apply }

// TLS returns the parameters about TLS.
func (c *Config) TLS() TLS {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tlsLocked(nil)
}

// tlsLocked returns the parameters as they are with the settings.
func (c *Config) tlsLocked(settings []Setting) TLS {
	get := func(name string) string {
		for _, s := range settings {
			if s.param.name == name {
				return s.Value
			}
		}
		return c.valueByNameLocked(name)
	}
	return TLS{
		Parameters: tlsconf.Parameters{
			CertFile:    get("tls-cert-file"),
			KeyFile:     get("tls-key-file"),
			KeyFilePass: get("tls-key-file-pass"),
			CACertFile:  get("tls-ca-cert-file"),
			CACertDir:   get("tls-ca-cert-dir"),
			AuthClients: get("tls-auth-clients"),
			Protocols:   get("tls-protocols"),
			Ciphers:     get("tls-ciphers"),
			NoSessions:  get("tls-session-caching") == "no",
		},
		Replication: get("tls-replication") == "yes",
		Cluster:     get("tls-cluster") == "yes",
	}
}

// updateTLSLocked applies checked values about TLS before they are stored.
func (c *Config) updateTLSLocked(settings []Setting) error {
	var first *Setting // whose name is in the error
	check := false
	for i := range settings {
		s := &settings[i]
		p := s.param
		if p.tls == notTLS || p.tls != tlsFile && s.Value == c.valueLocked(p) {
			continue
		}
		if p.tls != tlsAccepts && !check {
			first, check = s, true
		}
		if first == nil {
			first = s
		}
	}
	if first == nil {
		return nil
	}
	values := c.tlsLocked(settings)
	switch {
	case c.applyTLS != nil:
		if c.applyTLS(values, check) == nil {
			return nil
		}
	case !values.Replication && !values.Cluster: // TLS is not used
		return nil
	}
	return first.fail(errTLS)
}

// restoreTLSLocked applies values about TLS that have been stored again.
func (c *Config) restoreTLSLocked(settings []Setting) {
	for _, s := range settings {
		if s.param.tls != notTLS && c.applyTLS != nil {
			_ = c.applyTLS(c.tlsLocked(nil), false) // they have worked before
			return
		}
	}
}
