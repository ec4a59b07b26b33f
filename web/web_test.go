package web

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/server"
)

// request sends a request for a URL with headers, each "Name: value"; Host is one of them. A body makes it a POST.
func send(t *testing.T, url, body string, headers ...string) (status int, text string, header http.Header) {
	t.Helper()
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		if name == "Host" {
			r.Host = value
		}
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	bytes, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(bytes), response.Header
}

const isJSON = "Content-Type: application/json"

// start serves the page of a server until the test ends.
func start(t *testing.T, srv *server.Server, options Options) (url string) {
	t.Helper()
	page, err := Start(srv, "127.0.0.1:0", options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, page.Close()) })
	return page.URL()
}

// command sends a command to a server and returns the first line of the reply.
func command(t *testing.T, srv *server.Server, words ...string) string {
	t.Helper()
	nc, err := net.Dial("tcp", srv.Addr())
	require.NoError(t, err)
	defer nc.Close()
	values := make([]resp.Value, len(words))
	for i, w := range words {
		values[i] = resp.BulkString(w)
	}
	_, err = nc.Write(resp.Append(nil, resp.Array(values...), 2))
	require.NoError(t, err)
	line, err := bufio.NewReader(nc).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(line)
}

func TestNew_FilesOfThePage(t *testing.T) {
	url := start(t, server.StartT(t), Options{})
	status, text, header := send(t, url, "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'")
	require.Contains(t, header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
	require.NotContains(t, header.Get("Content-Security-Policy"), "unsafe")
	require.NotContains(t, text, "://", "nothing from elsewhere")
	for name, kind := range map[string]string{"js/main.js": "javascript", "css/base.css": "text/css", "icon.svg": "svg"} {
		status, _, header := send(t, url+name, "")
		require.Equal(t, http.StatusOK, status, name)
		require.Contains(t, header.Get("Content-Type"), kind, name)
		require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"))
	}
	status, _, _ = send(t, url+"js/none.js", "")
	require.Equal(t, http.StatusNotFound, status)
}

func TestNew_State(t *testing.T) {
	srv := server.StartT(t)
	url := start(t, srv, Options{})
	for _, name := range []string{"a:1", "a:2", "b"} {
		require.Equal(t, "+OK", command(t, srv, "SET", name, "0123456789abcdef", "NX", "PX", "30000"))
	}
	srv.Clock().Freeze()
	status, text, _ := send(t, url+"api/state?pattern=a:*", "")
	require.Equal(t, http.StatusOK, status)
	var got struct {
		Clock   clockState
		Locks   []struct{ Name, Kind string }
		Fitting int
		Totals  totals
		Faults  []rule
	}
	require.NoError(t, json.Unmarshal([]byte(text), &got))
	require.Equal(t, clockState{Now: srv.Clock().Now().UnixMilli(), Frozen: true, Speed: 1}, got.Clock)
	require.Equal(t, 2, got.Fitting)
	require.Equal(t, totals{Locks: 3, Held: 3}, got.Totals)
	require.Equal(t, "a:1", got.Locks[0].Name)
	require.Contains(t, text, `"faults":[]`)
	require.Contains(t, text, `"deadlocks":[]`)
}

func TestState_LeavesOutMany(t *testing.T) {
	srv := server.StartT(t)
	for i := range maxRows + 1 {
		command(t, srv, "SET", "lock:"+string(rune('a'+i%26))+strings.Repeat("x", i/26), "0123456789abcdef", "PX", "30000")
	}
	s := read(srv, "")
	require.Len(t, s.Locks, maxRows)
	require.Equal(t, maxRows+1, s.Fitting)
}

func TestChange_ClockAndFaults(t *testing.T) {
	srv := server.StartT(t)
	url := start(t, srv, Options{})
	change := func(path, body string) string {
		t.Helper()
		status, text, _ := send(t, url+"api/"+path, body, isJSON)
		if status == http.StatusNoContent {
			return ""
		}
		require.Equal(t, http.StatusBadRequest, status, text)
		var reply struct{ Error string }
		require.NoError(t, json.Unmarshal([]byte(text), &reply))
		return reply.Error
	}
	require.Empty(t, change("clock/freeze", "{}"))
	require.Empty(t, change("clock/set", `{"time":2000000000000}`))
	require.Empty(t, change("clock/advance", `{"ms":500}`))
	require.Equal(t, int64(2_000_000_000_500), srv.Clock().Now().UnixMilli())
	require.Empty(t, change("clock/speed", `{"factor":2}`))
	require.Empty(t, change("clock/resume", "{}"))
	require.Equal(t, 2.0, srv.Clock().Speed())
	require.False(t, srv.Clock().Frozen())
	for path, body := range map[string]string{
		"clock/advance": `{"ms":-1}`, "clock/set": `{"time":-1}`, "clock/speed": `{"factor":0}`,
		"faults/add": `{"rule":"THEN"}`, "faults/remove": `{"id":9}`, "history": `{"count":-1}`,
		"clock/freeze": "null", "clock/resume": "{} {}", "faults/clear": "[]",
	} {
		require.Contains(t, change(path, body), "ERR ", path)
	}
	require.Empty(t, change("faults/add", `{"rule":"COMMAND get THEN ERROR OOM"}`))
	require.Contains(t, command(t, srv, "GET", "a"), "-OOM ")
	require.Empty(t, change("faults/remove", `{"id":1}`))
	require.Empty(t, change("faults/add", `{"rule":"THEN CLOSE"}`))
	require.Empty(t, change("faults/clear", `{}`))
	require.Empty(t, srv.Faults().List())
	require.Empty(t, change("history", `{"count":10}`))
	require.True(t, srv.Locks().Tracked())
	require.Equal(t, "ERR unknown field 'ms'", change("clock/set", `{"ms":1}`))
	require.Equal(t, "ERR the field 'ms' is missing", change("clock/advance", "{}"))
	require.Contains(t, change("clock/speed", `{"factor":"x"}`), "cannot unmarshal")
	require.Contains(t, change("clock/advance", `{"rule":"`+strings.Repeat("x", maxBody)+`"}`), "too large")
}

// A stream sends the history first, then events and states as they come.
func TestEvents(t *testing.T) {
	srv := server.StartT(t)
	srv.Locks().Track(100)
	url := start(t, srv, Options{})
	command(t, srv, "SET", "a", "0123456789abcdef", "NX", "PX", "30000")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"api/events", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	next := func(event, text string) { // skips what comes before
		t.Helper()
		for lines.Scan() {
			if lines.Text() == "event: "+event && lines.Scan() && strings.Contains(lines.Text(), text) {
				return
			}
		}
		t.Fatalf("no %s with %s: %v", event, text, lines.Err())
	}
	require.True(t, lines.Scan())
	require.Equal(t, "event: history", lines.Text())
	require.True(t, lines.Scan())
	require.Contains(t, lines.Text(), `"lock":"a"`)
	next("state", `"name":"a"`)
	command(t, srv, "SET", "b", "0123456789abcdef", "NX", "PX", "30000")
	next("events", `"lock":"b"`)
	next("state", `"name":"b"`)
	send(t, url+"api/faults/add", `{"rule":"COMMAND get THEN CLOSE"}`, isJSON)
	next("state", "COMMAND get THEN CLOSE")
	next("state", `"commandsPerSecond":0`)
	require.NoError(t, srv.Close()) // ends the stream
	for lines.Scan() {
	}
}

// What happens while the history is read is sent once.
func TestStream_HistoryAndEventsOverlap(t *testing.T) {
	srv := server.StartT(t)
	srv.Locks().Track(100)
	for _, name := range []string{"a", "b", "c"} {
		command(t, srv, "SET", name, "0123456789abcdef", "NX", "PX", "30000")
	}
	history := srv.Locks().History("")
	require.Len(t, history, 3)
	for _, queued := range []int{0, 1, 2, 3} {
		w := httptest.NewRecorder()
		s := newStream(srv, w, "")
		for _, e := range history[len(history)-queued:] {
			s.add(e)
		}
		later := history[0]
		later.Lock = "later"
		s.add(later)
		require.NoError(t, s.sendHistory())
		require.Equal(t, 4, strings.Count(w.Body.String(), `"event":"taken"`), "%d", queued)
		require.Empty(t, s.take())
	}
}

func TestStream_MissedEvents(t *testing.T) {
	srv := server.StartT(t)
	srv.Locks().Track(100)
	command(t, srv, "SET", "a", "0123456789abcdef", "NX", "PX", "30000")
	w := httptest.NewRecorder()
	s := newStream(srv, w, "")
	for range maxEvents + 1 {
		s.add(srv.Locks().History("")[0])
	}
	require.NoError(t, s.send(realTime.Now()))
	require.True(t, strings.HasPrefix(w.Body.String(), "event: history\n"))
}

func TestMetrics(t *testing.T) {
	srv := server.StartT(t)
	srv.Locks().Track(100)
	url := start(t, srv, Options{})
	command(t, srv, "SET", "a", "0123456789abcdef", "NX", "PX", "30000")
	command(t, srv, "HSET", "a", "f", "v") // WRONGTYPE
	_, err := srv.Faults().AddLine("COMMAND get THEN ERROR OOM")
	require.NoError(t, err)
	command(t, srv, "GET", "a")
	srv.Clock().Freeze()
	_, err = srv.Faults().AddLine(`THEN ERROR "a \"quoted\" text"`)
	require.NoError(t, err)
	const taken = `minilockd_lock_events_total{event="taken"} 1`
	var text string
	for !strings.Contains(text, taken) { // events are counted soon after they happen
		var status int
		status, text, _ = send(t, url+"metrics", "")
		require.Equal(t, http.StatusOK, status)
	}
	for _, line := range []string{
		`minilockd_locks{kind="token",state="held"} 1`,
		`minilockd_lock_events_total{event="lapsed"} 0`, `minilockd_error_replies_total{code="WRONGTYPE"} 1`,
		`minilockd_fault_hits_total{id="1",rule="COMMAND get THEN ERROR \"OOM`, "minilockd_clock_speed 0",
		"minilockd_keys 1", "minilockd_connections_total 3", "minilockd_deadlocks 0", "go_goroutines ", "minilockd_info{",
	} {
		require.Contains(t, text, line)
	}
}
