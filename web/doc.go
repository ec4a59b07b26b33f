// Package web has the page of a server: its locks, clients, clock and faults in a browser, with /metrics for Prometheus
// and /healthz. The binary serves it with --http, a Go test with Start:
//
//	srv := server.StartT(t)
//	page, err := web.Start(srv, "127.0.0.1:0", web.Options{})
//	t.Log(page.URL())
//
// It is a module of its own, so that users of package server do not require Prometheus' client.
package web
