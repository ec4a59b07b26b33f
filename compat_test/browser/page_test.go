package browser

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
	"github.com/minilockd/minilockd/server"
	"github.com/minilockd/minilockd/web"
)

// start starts a server with its clock stopped, and opens its page.
func start(t *testing.T) (*server.Server, *tab) {
	t.Helper()
	srv := server.StartT(t)
	srv.Clock().Freeze()
	srv.Locks().Track(10_000)
	page, err := web.Start(srv, "127.0.0.1:0", web.Options{})
	require.NoError(t, err)
	b := open(t, page.URL())
	b.shows("#connection", "Live")
	return srv, b
}

// worker returns a lock client on a connection with a name.
func worker(t *testing.T, srv *server.Server, name string) (*lock.Client, *redis.Client) {
	t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: srv.Addr(), ClientName: name})
	client := lock.New(rdb, lock.WithClock(srv.Clock()))
	t.Cleanup(func() {
		require.NoError(t, client.Close())
		require.NoError(t, rdb.Close())
	})
	return client, rdb
}

// take takes a lock for 30 s.
func take(t *testing.T, l interface {
	Lock(context.Context, ...lock.LockOption) (*lock.Handle, error)
}, options ...lock.LockOption) *lock.Handle {
	t.Helper()
	h, err := l.Lock(t.Context(), append([]lock.LockOption{lock.Lease(30 * time.Second)}, options...)...)
	require.NoError(t, err)
	return h
}

// takeLater takes a lock in a goroutine, which the test waits for when it calls got.
func takeLater(t *testing.T, l *lock.Mutex, options ...lock.LockOption) (got func() (*lock.Handle, error)) {
	t.Helper()
	type result struct {
		h   *lock.Handle
		err error
	}
	done := make(chan result, 1)
	go func() {
		h, err := l.Lock(t.Context(), append([]lock.LockOption{lock.Lease(30 * time.Second)}, options...)...)
		done <- result{h, err}
	}()
	return func() (*lock.Handle, error) {
		r := <-done
		return r.h, r.err
	}
}

const (
	order = `#lock-rows tr[data-lock="order:42"]`
	bar   = order + " .bar i"
)

// A lease runs down, by the mouse and by the keyboard, and lapses while its holder is connected.
func TestPage_LeaseWaiterAndLostLock(t *testing.T) {
	srv, b := start(t)
	b.shows("#locks-empty", "There are no locks on the server")
	b.shows("#faults-empty", "nothing goes wrong")
	a, _ := worker(t, srv, "worker-a")
	take(t, a.Mutex("order:42"))
	b.shows(order, "worker-a")
	b.shows(order+" .lease", "30.0 s")
	other, _ := worker(t, srv, "worker-b")
	got := takeLater(t, other.Mutex("order:42"))
	b.shows(order+" .waiters", "worker-b")

	b.click(`.steps button[data-ms="10000"]`)
	b.shows(order+" .lease", "20.0 s")
	require.Equal(t, "scaleX(0.6667)", evaluate[string](b, `document.querySelector('`+bar+`').style.transform`))
	b.click("#advance-by")
	b.typeOver("20s")
	b.press(kb.Enter)
	b.shows(`#event-rows tr[data-event="lapsed"]`, "lapsed, lost")
	b.click(`.steps button[data-ms="1000"]`) // a waiter asks again a little later than the lease ends
	_, err := got()
	require.NoError(t, err)
	b.shows(order+" .holder", "worker-b")
	b.wait("$(%q) === %q", order+" .waiters", "")
	b.shows("#lost-count", "1")
	b.shows(`#timeline li[data-lock="order:42"] .stretch.lost`, "lost")
	require.Equal(t, 1, evaluate[int](b, `document.querySelectorAll("#timeline .stretch.waited").length`))
}

// Three workers that wait for each other are a deadlock, which ends when one of the leases does.
func TestPage_Deadlock(t *testing.T) {
	srv, b := start(t)
	names := []string{"anna", "bela", "cleo"}
	tables := []string{"accounts", "orders", "stock"}
	var results []func() (*lock.Handle, error)
	clients := make([]*lock.Client, len(names))
	owners := make([]string, len(names))
	for i, name := range names {
		clients[i], _ = worker(t, srv, name)
		owners[i] = take(t, clients[i].Mutex(tables[i])).Owner()
	}
	require.False(t, evaluate[bool](b, `document.getElementById("deadlocks").checkVisibility()`))
	for i := range names {
		results = append(results, takeLater(t, clients[i].Mutex(tables[(i+1)%len(tables)]), lock.As(owners[i])))
	}
	b.wait("document.querySelectorAll('#deadlock-list li').length === 3")
	for i := range names {
		b.shows("#deadlock-list", "holds "+tables[i]+" and waits for "+tables[(i+1)%len(tables)])
	}
	srv.Advance(31 * time.Second)
	for _, got := range results {
		_, err := got()
		require.NoError(t, err)
	}
	b.wait("!document.getElementById('deadlocks').checkVisibility()")
}

// The clock is stopped, set and made faster from the page; it runs between two states.
func TestPage_Clock(t *testing.T) {
	srv, b := start(t)
	b.shows("#clock-state", "frozen")
	b.tabTo("#factor")
	b.typeOver("60")
	b.press(kb.Enter)
	b.shows("#clock-state", "frozen × 60")
	require.Equal(t, 60.0, srv.Clock().Speed())
	b.tabTo("#freeze")
	b.press(kb.Enter)
	b.shows("#clock-state", "running × 60")
	require.False(t, srv.Clock().Frozen())
	shown := evaluate[string](b, `document.getElementById("now").textContent`)
	b.wait("$('#now') !== %q", shown)
	b.click("#freeze")
	b.shows("#clock-state", "frozen")
	b.wait("Date.parse(document.getElementById('now').dateTime) === %d", srv.Clock().Now().UnixMilli())

	b.click("#advance-by")
	b.typeOver("-5s")
	b.press(kb.Enter)
	b.shows("#clock-error", "ERR CLOCK.ADVANCE only moves the clock forward")
	b.typeOver("soon")
	b.press(kb.Enter)
	b.shows("#clock-error", "That is no duration")
	b.tabTo("#factor")
	b.typeOver("0")
	b.press(kb.Enter)
	b.shows("#clock-error", "ERR speed must be greater than 0")
}

// A fault is added and removed by the keyboard alone, and its hits are counted.
func TestPage_Faults(t *testing.T) {
	srv, b := start(t)
	_, rdb := worker(t, srv, "worker-a")
	b.tabTo("#rule")
	b.press("COMMAND gte THEN CLOSE", kb.Enter)
	b.shows("#fault-error", "ERR unknown command 'gte'")
	b.typeOver(`COMMAND get KEY "a <b>*" THEN ERROR "MINE it fails"`)
	b.press(kb.Enter)
	b.shows("#fault-rows tr", `COMMAND get KEY "a <b>*" THEN ERROR "MINE it fails"`)
	b.wait("$('#fault-error') === ''")
	require.EqualError(t, rdb.Get(t.Context(), "a <b>c").Err(), "MINE it fails")
	b.wait("document.querySelector('#fault-rows tr').cells[2].innerText === '1'")
	b.tabTo("#fault-rows button")
	b.press(kb.Enter)
	b.shows("#faults-empty", "nothing goes wrong")
	require.Empty(t, srv.Faults().List())
	require.False(t, evaluate[bool](b, "document.activeElement === document.body"), "the focus has a place")
}

// Each control can be reached by the Tab key, and shows that it has the focus.
func TestPage_Keyboard(t *testing.T) {
	srv, b := start(t)
	a, _ := worker(t, srv, "worker-a")
	take(t, a.Mutex("order:42"))
	_, err := srv.Faults().AddLine("COMMAND get THEN CLOSE")
	require.NoError(t, err)
	b.shows(order, "worker-a")
	b.shows("#fault-rows", "COMMAND get")
	const controls = `[...document.querySelectorAll("button, input, select, summary")].filter((e) => e.checkVisibility())`
	want := evaluate[int](b, controls+".length")
	evaluate[bool](b, `(window.reached = new Set(),
		document.addEventListener("focusin", (e) => reached.add(e.target)), true)`)
	for range want + 1 { // and the link to the locks
		b.press(kb.Tab)
		require.True(t, evaluate[bool](b, `document.activeElement.matches(":focus-visible")`))
	}
	require.Equal(t, want, evaluate[int](b, controls+".filter((e) => reached.has(e)).length"))
	b.do(blur)
	b.press("/")
	require.Equal(t, "filter", evaluate[string](b, "document.activeElement.id"))
	b.press("nothing")
	b.shows("#locks-empty", "No lock has such a name.")
	b.typeOver("der:")
	b.shows(order, "worker-a")
}

// The choice of colors is kept.
func TestPage_Colors(t *testing.T) {
	_, b := start(t)
	b.colors("light")
	b.colors("dark")
	evaluate[bool](b, `(theme.value = "light", theme.dispatchEvent(new Event("change")))`)
	require.Equal(t, "light", evaluate[string](b, "document.documentElement.dataset.theme"))
	b.do(reload)
	b.shows("#connection", "Live")
	require.Equal(t, "light", evaluate[string](b, "document.documentElement.dataset.theme"))
}

// The page says so when the server is gone, and comes back with it.
func TestPage_Disconnected(t *testing.T) {
	srv := server.StartT(t)
	page, err := web.Start(srv, "127.0.0.1:0", web.Options{})
	require.NoError(t, err)
	b := open(t, page.URL())
	b.shows("#history-off", "The lock history is off")
	b.click("#history-on")
	b.shows("#events-empty", "No events yet")
	require.True(t, srv.Locks().Tracked())
	require.NoError(t, page.Close())
	b.shows("#connection", "The server does not answer")
}
