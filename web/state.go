package web

import (
	"cmp"
	"encoding/json"
	"net/http"

	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/internal/version"
	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/server"
)

// maxRows is how many locks, and how many clients, the page gets; it says how many there are.
const maxRows = 500

// state is what the page shows of a server at one moment. Times are in ms since 1970, on the server's clock.
type state struct {
	Server    serverState      `json:"server"`
	Clock     clockState       `json:"clock"`
	Stats     stats            `json:"stats"`
	History   bool             `json:"history"` // is on
	Locks     []locks.Lock     `json:"locks"`
	Fitting   int              `json:"fitting"` // locks that fit the pattern, also those that are left out
	Totals    totals           `json:"totals"`  // of all locks
	Deadlocks []locks.Deadlock `json:"deadlocks"`
	Faults    []rule           `json:"faults"`
	Clients   []client         `json:"clients"`
}

type totals struct {
	Locks   int `json:"locks"`
	Held    int `json:"held"`
	Waiters int `json:"waiters"`
}

type serverState struct {
	Addr        string `json:"addr"`
	Version     string `json:"version"`
	Redis       string `json:"redis"`
	Started     int64  `json:"started"`
	FaultSyntax string `json:"faultSyntax"`
}

type clockState struct {
	Now    int64   `json:"now"`
	Frozen bool    `json:"frozen"`
	Speed  float64 `json:"speed"`
}

type stats struct {
	Commands int64 `json:"commands"`
	// CommandsPerSecond is of real time; a stream has it from its second state on.
	CommandsPerSecond *float64 `json:"commandsPerSecond"`
	Clients           int      `json:"clients"`
	Blocked           int      `json:"blocked"`
	Keys              int      `json:"keys"`
	Errors            int64    `json:"errors"`
}

type rule struct {
	ID      int64  `json:"id"`
	Rule    string `json:"rule"` // as FAULT.ADD takes it
	Matches int64  `json:"matches"`
	Hits    int64  `json:"hits"`
}

type client struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Addr    string `json:"addr"`
	Library string `json:"library"`
	Command string `json:"command"`
	Created int64  `json:"created"`
	Active  int64  `json:"active"`
	Blocked bool   `json:"blocked"`
}

// read reads the state of a server. Only locks whose names fit the pattern are in it, but all deadlocks.
func read(srv *server.Server, pattern string) *state {
	figures, clk := srv.Stats(), srv.Clock()
	s := &state{
		Server: serverState{Addr: srv.Addr(), Version: version.Module(),
			Redis:   emulate.Named(srv.Emulate()).RedisVersion(),
			Started: figures.Started.UnixMilli(), FaultSyntax: fault.Usage},
		Clock: clockState{Now: clk.Now().UnixMilli(), Frozen: clk.Frozen(), Speed: clk.Speed()},
		Stats: stats{Commands: figures.Commands, Clients: figures.Clients, Blocked: figures.Blocked, Keys: figures.Keys,
			Errors: sum(figures.Errors)},
		History:   srv.Locks().Tracked(),
		Deadlocks: orEmpty(srv.Locks().Deadlocks()),
		Faults:    orEmpty(rules(srv)),
		Clients:   orEmpty(clients(srv)),
	}
	s.addLocks(srv.Locks().List("*"), cmp.Or(pattern, "*"))
	return s
}

// addLocks counts all locks, and adds those that fit the pattern.
func (s *state) addLocks(all []locks.Lock, pattern string) {
	s.Locks, s.Totals.Locks = []locks.Lock{}, len(all)
	for _, l := range all {
		if l.Held() {
			s.Totals.Held++
		}
		s.Totals.Waiters += len(l.Waiters)
		if !glob.Match(pattern, l.Name) {
			continue
		}
		if s.Fitting++; s.Fitting <= maxRows {
			s.Locks = append(s.Locks, l)
		}
	}
}

func sum(counts map[string]int64) (total int64) {
	for _, n := range counts {
		total += n
	}
	return total
}

func rules(srv *server.Server) (list []rule) {
	for _, r := range srv.Faults().List() {
		list = append(list, rule{r.ID, r.Rule.String(), r.Fitting, r.Hits})
	}
	return list
}

func clients(srv *server.Server) (list []client) {
	all := srv.Clients()
	for _, c := range all[:min(len(all), maxRows)] {
		list = append(list, client{c.ID, c.Name, c.Addr, c.Library, c.Command, c.Created.UnixMilli(),
			c.Active.UnixMilli(), c.Blocked})
	}
	return list
}

// state answers with the state of the server: /api/state?pattern=…
func (h *handler) state(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(read(h.srv, r.FormValue("pattern"))) // the client may have gone
}

// orEmpty makes JSON [] of a list without elements.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
