// Package web has the page of a server: an http.Handler that shows its locks, clients, clock and faults in a browser,
// with /metrics for Prometheus and /healthz. The binary serves it with --http.
package web
