package web

import (
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/minilockd/minilockd/server"
)

// guard keeps requests from the page that its users have not made. Three kinds must be kept out: those of other
// machines while there is no password; those that a page of another site makes a browser send, which has the password
// stored; and those of a site whose name was changed to point to this machine (DNS rebinding), which the browser takes
// for requests to that site itself.
type guard struct {
	srv  *server.Server
	next http.Handler
}

// headers are set on each response. The policy allows the page its own files and connections, and nothing else.
var headers = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
		"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Cache-Control":                "no-store",
}

// maxBody is the largest body of a request, in bytes.
const maxBody = 64 << 10

// The reasons why requests are rejected.
const (
	fromElsewhere = "only this machine may use the page while the server has no password: set requirepass"
	unknownHost   = "without a password the page has no other names than localhost and its IP address: set requirepass"
	otherSite     = "a page of another site has sent this request"
	wrongPassword = "the password of the server's default user is needed"
	notJSON       = "the request must have the content type application/json"
)

// ServeHTTP implements http.Handler.
func (g guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	if r.URL.Path == "/healthz" { // it tells and changes nothing; those who ask have no password
		g.next.ServeHTTP(w, r)
		return
	}
	if status, reason := g.reject(r); status != 0 {
		if status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Basic realm="minilockd", charset="UTF-8"`)
		}
		fail(w, status, reason)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	g.next.ServeHTTP(w, r)
}

// reject returns the status and the reason for a request that is not served, and 0 for any other.
func (g guard) reject(r *http.Request) (status int, reason string) {
	switch open := !g.srv.NeedsPassword(); {
	case open && !local(r):
		return http.StatusForbidden, fromElsewhere
	case open && !ownHost(r.Host):
		return http.StatusForbidden, unknownHost
	case crossSite(r):
		return http.StatusForbidden, otherSite
	case !open && !g.authenticated(r):
		return http.StatusUnauthorized, wrongPassword
	case r.Method == http.MethodPost && !hasJSON(r):
		return http.StatusUnsupportedMediaType, notJSON
	}
	return 0, ""
}

// authenticated reports whether the request has the password, by HTTP's basic authentication. The user is the default
// one, which may be left out.
func (g guard) authenticated(r *http.Request) bool {
	user, password, ok := r.BasicAuth()
	return ok && (user == "" || user == "default") && g.srv.CheckPassword(password)
}

// local reports whether a request has arrived at an address that only this machine reaches.
func local(r *http.Request) bool {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return !ok || addr.IP.IsLoopback() // else a Unix domain socket, or a call of ServeHTTP
}

// ownHost reports whether the name by which the browser reached this machine is one that no other site can have: an IP
// address, or localhost.
func ownHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil
}

// crossSite reports whether a page of another origin has made the browser send a request; a link to the page is none of
// these. Old browsers do not say so for a GET, but let no other page read the response.
func crossSite(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site": // same-site: another port of localhost
		return r.Method != http.MethodGet || r.Header.Get("Sec-Fetch-Mode") != "navigate"
	}
	return http.NewCrossOriginProtection().Check(r) != nil
}

// hasJSON reports whether the request has a body of a type that a form of another site cannot have.
func hasJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}
