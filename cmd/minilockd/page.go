package main

import (
	"log/slog"

	"github.com/minilockd/minilockd/server"
	"github.com/minilockd/minilockd/web"
)

// lockHistory is how many events of locks are kept for the page: as many as LOCK.TRACK ON keeps.
const lockHistory = 10_000

// servePage serves the page of a server if the settings say so, until the server ends.
func (set *settings) servePage(srv *server.Server, log *slog.Logger) error {
	if set.http == "" {
		return nil
	}
	page, err := web.Start(srv, set.http, web.Options{Pprof: set.pprof})
	if err != nil {
		return err
	}
	if !srv.Locks().Tracked() {
		srv.Locks().Track(lockHistory)
	}
	log.Info("The page can be opened", "url", page.URL())
	return nil
}
