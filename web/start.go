package web

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/minilockd/minilockd/server"
)

// Page is a page that is served on an address of its own. It is safe for concurrent use.
type Page struct {
	listener net.Listener
	http     *http.Server
}

// Start serves the page of a server on an address, host:port, until Close is called or the server ends. Port 0 takes a
// free port. While the server's default user needs no password, an address that other machines can reach is an error.
func Start(srv *server.Server, addr string, options Options) (*Page, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() && !srv.NeedsPassword() {
		_ = listener.Close()
		return nil, fmt.Errorf("web: other machines can reach %s: set a password (requirepass), or listen on 127.0.0.1", addr)
	}
	p := &Page{listener: listener, http: &http.Server{Handler: New(srv, options), ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: maxBody}}
	go func() { _ = p.http.Serve(listener) }() // returns when the page is closed
	go func() {
		<-srv.Done()
		_ = p.Close()
	}()
	return p, nil
}

// URL is where a browser finds the page.
func (p *Page) URL() string { return "http://" + p.listener.Addr().String() + "/" }

// Close ends the connections of browsers, and serves no more.
func (p *Page) Close() error { return p.http.Close() }
