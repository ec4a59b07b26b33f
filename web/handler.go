package web

import (
	"embed"
	"io/fs"
	"net/http"
	"net/http/pprof"

	"github.com/minilockd/minilockd/server"
)

// Options are what a page has beyond what it needs.
type Options struct {
	// Pprof serves Go's profiles of the process at /debug/pprof/.
	Pprof bool
}

// files are the HTML, CSS and JavaScript of the page, as the browser gets them.
//
//go:embed page
var files embed.FS

// handler answers the requests of pages.
type handler struct {
	srv     *server.Server
	streams streams
}

// New returns the page of a server, to be served at the root of a host. What has happened to locks is shown if
// srv.Locks().Track was called, or LOCK.TRACK.
//
// Everybody who may use the server may use the page, and nobody else: it asks for the password of the default user if
// there is one. Without one it answers only connections from this machine. Requests of other sites have no effect.
func New(srv *server.Server, options Options) http.Handler {
	h := &handler{srv: srv}
	mux := http.NewServeMux()
	root, _ := fs.Sub(files, "page") // the name is valid
	mux.Handle("GET /", http.FileServerFS(root))
	mux.HandleFunc("GET /healthz", healthy)
	mux.Handle("GET /metrics", newMetrics(srv))
	mux.HandleFunc("GET /api/state", h.state)
	mux.HandleFunc("GET /api/events", h.events)
	for path, change := range changes {
		mux.Handle("POST /api/"+path, h.handle(change))
	}
	if options.Pprof {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return guard{srv: srv, next: mux}
}

// healthy answers that the process serves requests.
func healthy(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n"))
}
