package main

import (
	"log/slog"

	"github.com/minilockd/minilockd/command/control"
	"github.com/minilockd/minilockd/server"
	"github.com/minilockd/minilockd/web"
)

// historyOrDefault returns how many events of locks the server keeps: the page needs some.
func (set *settings) historyOrDefault() int {
	if set.lockHistory == 0 && set.http != "" {
		return control.DefaultHistory
	}
	return set.lockHistory
}

// servePage serves the page of a server if the settings say so, until the server ends, and returns its URL.
func (set *settings) servePage(srv *server.Server, log *slog.Logger) (url string, err error) {
	if set.http == "" {
		return "", nil
	}
	page, err := web.Start(srv, set.http, web.Options{Pprof: set.pprof})
	if err != nil {
		return "", err
	}
	log.Info("The page can be opened", "url", page.URL())
	return page.URL(), nil
}
