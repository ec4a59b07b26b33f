package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/server"
)

// request is the body of a request that changes something; each kind uses one of the fields.
type request struct {
	Ms     int64   `json:"ms"`
	Time   int64   `json:"time"` // in ms since 1970
	Factor float64 `json:"factor"`
	Rule   string  `json:"rule"`
	ID     int64   `json:"id"`
	Count  int     `json:"count"`
}

// change is something that the page can change.
type change struct {
	field string // of the request, "" for none
	do    func(*server.Server, request) error
}

// changes are what the page can change, by the end of the path. Their errors are those of the commands.
var changes = map[string]change{
	"clock/advance": {"ms", advance},
	"clock/set":     {"time", setClock},
	"clock/freeze":  {"", func(s *server.Server, _ request) error { s.Clock().Freeze(); return nil }},
	"clock/resume":  {"", func(s *server.Server, _ request) error { s.Clock().Resume(); return nil }},
	"clock/speed":   {"factor", setSpeed},
	"faults/add":    {"rule", addFault},
	"faults/remove": {"id", removeFault},
	"faults/clear":  {"", func(s *server.Server, _ request) error { s.Faults().Clear(); return nil }},
	"history":       {"count", setHistory},
}

// The errors of changes for which there is no command, or one that replies a number instead.
var (
	errBody    = errors.New("ERR the body must be a JSON object")
	errNull    = errors.New("it is null")
	errNoRule  = errors.New("ERR no rule with that id")
	errHistory = fmt.Errorf("ERR the number of events must be from 0 to %d", locks.MaxHistory)
)

func advance(s *server.Server, r request) error {
	if err := clock.CheckAdvance(s.Clock().Now(), r.Ms); err != nil {
		return err
	}
	s.Clock().Advance(time.Duration(r.Ms) * time.Millisecond)
	return nil
}

func setClock(s *server.Server, r request) error {
	if err := clock.CheckTime(r.Time); err != nil {
		return err
	}
	s.Clock().Set(time.UnixMilli(r.Time))
	return nil
}

func setSpeed(s *server.Server, r request) error {
	if err := clock.CheckSpeed(r.Factor); err != nil {
		return err
	}
	s.Clock().SetSpeed(r.Factor)
	return nil
}

func addFault(s *server.Server, r request) error {
	_, err := s.Faults().AddLine(r.Rule)
	return err
}

func removeFault(s *server.Server, r request) error {
	if !s.Faults().Remove(r.ID) {
		return errNoRule
	}
	return nil
}

func setHistory(s *server.Server, r request) error {
	if r.Count < 0 || r.Count > locks.MaxHistory {
		return errHistory
	}
	s.Locks().Track(r.Count)
	return nil
}

// readRequest reads a body: an object with the given field, or with none for "".
func readRequest(from io.Reader, field string) (r request, err error) {
	text, err := io.ReadAll(from)
	var fields map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err != nil || fields == nil {
		return r, fmt.Errorf("%w: %w", errBody, cmp.Or(err, errNull))
	}
	for name := range fields {
		if name != field {
			return r, fmt.Errorf("ERR unknown field '%s'", name)
		}
	}
	if field != "" && fields[field] == nil {
		return r, fmt.Errorf("ERR the field '%s' is missing", field)
	}
	return r, json.Unmarshal(text, &r)
}

// handle returns the handler of a change. It answers when the change is visible to all clients.
func (h *handler) handle(c change) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := readRequest(r.Body, c.field)
		if err == nil {
			err = c.do(h.srv, body)
		}
		if err != nil {
			fail(w, http.StatusBadRequest, err.Error())
			return
		}
		h.streams.notify()
		w.WriteHeader(http.StatusNoContent)
	})
}

// fail answers with an error, as the page shows it.
func fail(w http.ResponseWriter, status int, reason string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": reason}) // the client may have gone
}
