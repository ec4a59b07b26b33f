package web

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// A page of another site can neither change anything nor read anything.
func TestGuard_OtherSites(t *testing.T) {
	srv := server.StartT(t)
	url := start(t, srv, Options{})
	const add, rule = "api/faults/add", `{"rule":"THEN CLOSE"}`
	for _, headers := range [][]string{
		{isJSON, "Origin: http://example.com"},
		{isJSON, "Origin: null"},
		{isJSON, "Origin: http://localhost:3000"},
		{isJSON, "Sec-Fetch-Site: cross-site"},
		{isJSON, "Sec-Fetch-Site: same-site"}, // another port of localhost
		{isJSON, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"},
	} {
		status, text, header := send(t, url+add, rule, headers...)
		require.Equal(t, http.StatusForbidden, status, "%q", headers)
		require.Contains(t, text, otherSite)
		require.Empty(t, header.Get("Access-Control-Allow-Origin"))
	}
	for _, path := range []string{"", "api/state", "api/events", "metrics"} {
		status, _, _ := send(t, url+path, "", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors")
		require.Equal(t, http.StatusForbidden, status, path)
	}
	status, _, _ := send(t, url, "", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate")
	require.Equal(t, http.StatusOK, status, "a link to the page")
	require.Empty(t, srv.Faults().List())
	status, _, _ = send(t, url+add, rule, isJSON, "Sec-Fetch-Site: same-origin", "Origin: "+url[:len(url)-1])
	require.Equal(t, http.StatusNoContent, status)
}

// Only a POST with JSON changes something: a form, an image or a link cannot send one.
func TestGuard_OnlyPostsOfJSON(t *testing.T) {
	srv := server.StartT(t)
	url := start(t, srv, Options{})
	const rule = `{"rule":"THEN CLOSE"}`
	for _, headers := range [][]string{
		nil, {"Content-Type: text/plain"}, {"Content-Type: application/x-www-form-urlencoded"},
		{"Content-Type: multipart/form-data; boundary=x"}, {"Content-Type: text/plain; application/json"},
	} {
		status, text, _ := send(t, url+"api/faults/add", rule, headers...)
		require.Equal(t, http.StatusUnsupportedMediaType, status, "%q", headers)
		require.Contains(t, text, notJSON)
	}
	for path := range changes {
		status, _, _ := send(t, url+"api/"+path, "")
		require.Equal(t, http.StatusNotFound, status, path)
	}
	require.Empty(t, srv.Faults().List())
	require.False(t, srv.Clock().Frozen())
}

// A name that another site has pointed to this machine is none of the page's.
func TestGuard_Hosts(t *testing.T) {
	srv := server.StartT(t)
	url := start(t, srv, Options{})
	for host, want := range map[string]int{
		"localhost": 200, "localhost:80": 200, "LOCALHOST.:80": 200, "app.localhost:1": 200, "127.0.0.1:8": 200, "[::1]": 200,
		"[::1]:80": 200, "10.0.0.7": 200,
		"example.com": 403, "example.com:80": 403, "127.0.0.1.example.com": 403, "localhost.example.com": 403,
		"notlocalhost": 403,
	} {
		status, text, _ := send(t, url+"api/state", "", "Host: "+host)
		require.Equal(t, want, status, "%s: %s", host, text)
	}
	command(t, srv, "CONFIG", "SET", "requirepass", "secret") // which a browser does not have for another name
	status, _, _ := send(t, url+"api/state", "", "Host: example.com", "Authorization: Basic OnNlY3JldA==")
	require.Equal(t, http.StatusOK, status)
}

func TestGuard_Password(t *testing.T) {
	srv := server.StartT(t)
	url := start(t, srv, Options{Pprof: true})
	command(t, srv, "CONFIG", "SET", "requirepass", "secret")
	with := func(user, password string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"api/state", nil)
		require.NoError(t, err)
		r.SetBasicAuth(user, password)
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response.StatusCode
	}
	require.Equal(t, 200, with("", "secret"))
	require.Equal(t, 200, with("default", "secret"))
	require.Equal(t, 401, with("default", "secre"))
	require.Equal(t, 401, with("default", ""))
	require.Equal(t, 401, with("other", "secret"))
	for _, path := range []string{"", "js/main.js", "api/state", "api/events", "metrics", "debug/pprof/"} {
		status, text, header := send(t, url+path, "")
		require.Equal(t, http.StatusUnauthorized, status, path)
		require.Contains(t, text, wrongPassword)
		require.Contains(t, header.Get("WWW-Authenticate"), "Basic ")
	}
	status, _, _ := send(t, url+"api/faults/clear", "{}", isJSON)
	require.Equal(t, http.StatusUnauthorized, status)
	status, text, _ := send(t, url+"healthz", "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "ok\n", text)
}

// Other machines reach the page only if there is a password, also if it is removed later.
func TestStart_OtherMachines(t *testing.T) {
	srv := server.StartT(t)
	for _, addr := range []string{"0.0.0.0:0", "[::]:0", ":0"} {
		_, err := Start(srv, addr, Options{})
		require.ErrorContains(t, err, "set a password (requirepass)", addr)
	}
	_, err := Start(srv, "127.0.0.1:none", Options{})
	require.ErrorContains(t, err, "none")
	command(t, srv, "CONFIG", "SET", "requirepass", "secret")
	page, err := Start(srv, "0.0.0.0:0", Options{})
	require.NoError(t, err)
	defer page.Close()
	_, port, err := net.SplitHostPort(page.listener.Addr().String())
	require.NoError(t, err)
	outside := serveOutward(t, srv)
	status, _, _ := send(t, outside, "")
	require.Equal(t, http.StatusUnauthorized, status)
	_, err = srv.Faults().AddLine("COMMAND get THEN CLOSE")
	require.NoError(t, err)
	status, _, _ = send(t, "http://127.0.0.1:"+port+"/metrics", "", "Authorization: Basic OnNlY3JldA==")
	require.Equal(t, http.StatusOK, status)
	removePassword(t, srv)
	status, text, _ := send(t, outside, "")
	require.Equal(t, http.StatusForbidden, status)
	require.Contains(t, text, fromElsewhere)
}

// serveOutward serves the page on connections to an address that other machines reach, by what they say.
func serveOutward(t *testing.T, srv *server.Server) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	page := httptest.NewUnstartedServer(New(srv, Options{}))
	require.NoError(t, page.Listener.Close())
	page.Listener = outwardListener{l}
	page.Start()
	t.Cleanup(page.Close)
	return page.URL + "/"
}

type outwardListener struct{ net.Listener }

func (l outwardListener) Accept() (net.Conn, error) {
	nc, err := l.Listener.Accept()
	return outwardConn{nc}, err
}

type outwardConn struct{ net.Conn }

// LocalAddr implements net.Conn. The address is of those for documentation (RFC 5737).
func (outwardConn) LocalAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 80} }

// removePassword lets the default user do without a password.
func removePassword(t *testing.T, srv *server.Server) {
	t.Helper()
	nc, err := net.Dial("tcp", srv.Addr())
	require.NoError(t, err)
	defer nc.Close()
	_, err = nc.Write([]byte("AUTH secret\r\nCONFIG SET requirepass \"\"\r\n"))
	require.NoError(t, err)
	reply := make([]byte, len("+OK\r\n+OK\r\n"))
	for n := 0; n < len(reply); {
		more, err := nc.Read(reply[n:])
		require.NoError(t, err)
		n += more
	}
	require.False(t, srv.NeedsPassword())
}

func TestNew_PprofOnlyIfWanted(t *testing.T) {
	srv := server.StartT(t)
	status, _, _ := send(t, start(t, srv, Options{})+"debug/pprof/", "")
	require.Equal(t, http.StatusNotFound, status)
	url := start(t, srv, Options{Pprof: true})
	status, text, _ := send(t, url+"debug/pprof/goroutine?debug=1", "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, "goroutine profile")
	status, _, _ = send(t, url+"debug/pprof/", "", "Sec-Fetch-Site: cross-site")
	require.Equal(t, http.StatusForbidden, status)
}
