package server

import "context"

// TB is what StartT needs of a *testing.T or *testing.B.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// StartT starts a server on a free port for one test and closes it when the test ends. If the test uses Advance, lock clients must go
// by the server's clock: lock.New(rdb, lock.WithClock(srv.Clock())).
func StartT(t TB) *Server {
	t.Helper()
	s, err := Start(context.Background(), Options{})
	if err != nil {
		t.Fatalf("starting minilockd: %v", err)
		return nil
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}
