package main

import (
	"fmt"
	"net"
	"os"
	"strconv"

	"github.com/minilockd/minilockd/server"
)

// tlsSettings are the options about TLS that redis-server does not have.
type tlsSettings struct{ addr, out string }

// tlsLines are the short options for lines of redis.conf.
var tlsLines = []struct{ flag, line string }{
	{"tls-cert", "tls-cert-file"}, {"tls-key", "tls-key-file"}, {"tls-ca", "tls-ca-cert-file"},
}

// takeTLS converts the short options to lines, which override those in files.
func (set *settings) takeTLS(flags map[string]string) (err error) {
	for _, short := range tlsLines {
		if file, given := flags[short.flag]; given {
			set.config += "\n" + short.line + " " + strconv.Quote(file)
		}
	}
	set.tls.addr = flags["tls-addr"]
	set.tls.out, err = absolute(flags["tls-out"])
	return err
}

// options returns what the server is to do, nil for what the lines of redis.conf say.
func (t tlsSettings) options() *server.TLS {
	if t.addr == "" {
		return nil
	}
	return &server.TLS{Addr: t.addr}
}

// tlsReady is the part of --ready-json about TLS.
type tlsReady struct {
	Port int    `json:"tls_port,omitempty"`
	Addr string `json:"tls_addr,omitempty"`
	CA   string `json:"tls_ca,omitempty"` // files of --tls-out
	Cert string `json:"tls_cert,omitempty"`
	Key  string `json:"tls_key,omitempty"`
}

// write writes the files for clients if the settings say so, and returns where the server listens. The function that
// it returns removes what it has made: the files, unless another process has overwritten them, and the folder.
func (t tlsSettings) write(s *server.Server) (r tlsReady, remove func(), err error) {
	r, remove = tlsReady{Addr: s.TLSAddr()}, func() {}
	if _, port, err := net.SplitHostPort(r.Addr); err == nil { // without TLS there is no address
		r.Port, _ = strconv.Atoi(port)
	}
	if t.out == "" {
		return r, remove, nil
	}
	_, noFolder := os.Stat(t.out)
	files, err := s.WriteTLSFiles(t.out)
	if err != nil {
		return r, remove, fmt.Errorf("minilockd: --tls-out: %w", err)
	}
	r.CA, r.Cert, r.Key = files.CA, files.Cert, files.Key
	texts := make(map[string][]byte)
	for _, file := range []string{r.CA, r.Cert, r.Key} {
		if text, err := os.ReadFile(file); err == nil {
			texts[file] = text
		}
	}
	return r, func() {
		for file, text := range texts {
			removeIfSame(file, text)
		}
		if noFolder != nil {
			_ = os.Remove(t.out) // fails if others have put files there
		}
	}, nil
}
