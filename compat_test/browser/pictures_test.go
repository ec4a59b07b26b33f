package browser

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
	"github.com/minilockd/minilockd/server"
)

// A busy server fits the screens of a phone and of a desktop, in both colors.
func TestPage_Pictures(t *testing.T) {
	srv, b := start(t)
	b.pictures("empty")
	shop := newShop(t, srv)
	shop.past()
	waiting := shop.present()
	_, err := srv.Faults().AddLine("COMMAND evalsha KEY invoice:* NTH 2 THEN LOSEREPLY")
	require.NoError(t, err)
	_, err = srv.Faults().AddLine(`COMMAND get THEN ERROR "LOADING Redis is loading the dataset in memory"`)
	require.NoError(t, err)
	require.Error(t, shop.rdb[0].Get(t.Context(), "any").Err())
	b.shows("#deadlock-list", "waits for")
	b.shows("#client-rows", "report")
	b.pictures("busy")
	srv.Advance(time.Minute) // ends the waiting
	for _, got := range waiting {
		_, err := got()
		require.NoError(t, err)
	}
}

// shop is some workers with locks of several kinds.
type shop struct {
	t       *testing.T
	srv     *server.Server
	clients []*lock.Client
	rdb     []*redis.Client
}

func newShop(t *testing.T, srv *server.Server) *shop {
	s := &shop{t: t, srv: srv}
	for _, name := range []string{"checkout-1", "checkout-2", "report", "stock"} {
		client, rdb := worker(t, srv, name)
		s.clients, s.rdb = append(s.clients, client), append(s.rdb, rdb)
	}
	return s
}

// past is what has happened to the locks in a minute.
func (s *shop) past() {
	for i := range 6 {
		h := take(s.t, s.clients[i%2].Mutex("order:42"))
		s.srv.Advance(time.Duration(3+i) * time.Second)
		require.NoError(s.t, h.Unlock(s.t.Context()))
		s.srv.Advance(time.Second)
	}
	take(s.t, s.clients[2].Mutex("invoice:2026-11"), lock.Lease(8*time.Second)) // it lapses
	s.srv.Advance(9 * time.Second)
	permits := s.clients[3].Semaphore("packing-tables")
	_, err := permits.TrySetPermits(s.t.Context(), 4)
	require.NoError(s.t, err)
}

// present is who holds and who waits now. It returns the calls that wait.
func (s *shop) present() (waiting []func() (*lock.Handle, error)) {
	wait := func(l *lock.Mutex, options ...lock.LockOption) {
		waiting = append(waiting, takeLater(s.t, l, options...))
	}
	checkout, second, report, stock := s.clients[0], s.clients[1], s.clients[2], s.clients[3]
	order := take(s.t, checkout.Mutex("order:42"))
	require.NoError(s.t, order.Reenter(s.t.Context()))
	wait(report.Mutex("order:42"))
	prices := report.RWMutex("prices")
	take(s.t, prices.RLocker())
	take(s.t, stock.RWMutex("prices").RLocker())
	s.srv.Advance(9 * time.Second)
	take(s.t, second.FencedMutex("invoice:2026-11"))
	take(s.t, stock.FairMutex("nightly-export"), lock.Lease(3*time.Second))
	a, c := take(s.t, checkout.Mutex("account:7")), take(s.t, second.Mutex("account:9"))
	wait(checkout.Mutex("account:9"), lock.As(a.Owner()))
	wait(second.Mutex("account:7"), lock.As(c.Owner()))
	s.srv.Advance(2 * time.Second)
	return waiting
}
