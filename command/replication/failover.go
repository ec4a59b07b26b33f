package replication

import (
	"errors"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var (
	errFailoverInCluster = errors.New("ERR FAILOVER not allowed in cluster mode. Use CLUSTER FAILOVER command instead.")
	errFailoverRunning   = errors.New("ERR FAILOVER already in progress.")
	errFailoverReplica   = errors.New("ERR FAILOVER is not valid when server is a replica.")
	errFailoverForce     = errors.New("ERR FAILOVER with force option requires both a timeout and target HOST and IP.")
	errFailoverTimeout   = errors.New("ERR FAILOVER timeout must be greater than 0")
	errNoFailover        = errors.New("ERR No failover in progress.")
	errNoTarget          = errors.New("ERR FAILOVER requires connected replicas.")
	errNotReplica        = errors.New("ERR FAILOVER target HOST and PORT is not a replica.")
)

// failoverState is FAILOVER while it runs: the master lets no client write, waits until a replica has applied all, and
// then follows it. In the zero value it does not run. It is safe for concurrent use.
type failoverState struct {
	mu    lockrank.Mutex[lockrank.Failover] // guards what follows
	state string                            // as INFO has it; "" for none
	abort chan struct{}                     // closed to end the wait
}

// failoverOptions are the arguments of FAILOVER.
type failoverOptions struct {
	host    string // empty for any replica
	port    int
	force   bool
	timeout time.Duration // 0 for none
}

// failover makes a replica the master, and this server its replica: FAILOVER [TO host port [FORCE]] [ABORT] [TIMEOUT
// milliseconds]. It replies at once; INFO tells how far it is. Nothing is lost, unless FORCE ends the wait for the
// replica when the timeout has passed.
func failover(c *command.Call) resp.Value {
	n := NodeOf(c.Env())
	if c.Env().Cluster != nil {
		return c.Fail(errFailoverInCluster)
	}
	if c.Len() == 2 && c.Is(1, "abort") {
		if !n.failover.stop() {
			return c.Fail(errNoFailover)
		}
		return resp.OK
	}
	o, err := parseFailover(c)
	if err == nil {
		err = n.checkFailover(&o)
	}
	if err != nil {
		return c.Fail(err)
	}
	n.env.PauseWrites()
	abort := n.failover.begin()
	n.work.Go(func() { n.runFailover(o, abort) })
	return resp.OK
}

// parseFailover parses the options of FAILOVER, each of which may be given once.
func parseFailover(c *command.Call) (o failoverOptions, err error) {
	for i := 1; i < c.Len(); i++ {
		switch more := c.Len() - 1 - i; {
		case c.Is(i, "timeout") && more >= 1 && o.timeout == 0:
			ms, err := c.Int(i + 1)
			if err != nil {
				return o, err
			}
			if ms <= 0 {
				return o, errFailoverTimeout
			}
			o.timeout = time.Duration(ms) * time.Millisecond
			i++
		case c.Is(i, "to") && more >= 2 && o.host == "":
			port, err := c.Int(i + 2)
			if err != nil {
				return o, err
			}
			o.host, o.port = string(c.Arg(i+1)), int(port)
			i += 2
		case c.Is(i, "force") && !o.force:
			o.force = true
		default:
			return o, command.ErrSyntax
		}
	}
	return o, nil
}

// checkFailover returns the error that rejects a failover. A host that was not given becomes that of the first replica.
func (n *Node) checkFailover(o *failoverOptions) error {
	replicas := n.history.role().Replicas
	switch {
	case n.failover.running():
		return errFailoverRunning
	case n.current() != nil:
		return errFailoverReplica
	case len(replicas) == 0:
		return errNoTarget
	case o.force && (o.timeout == 0 || o.host == ""):
		return errFailoverForce
	case o.host == "":
		return nil
	}
	for _, r := range replicas {
		if r.Host == o.host && r.Port == o.port {
			return nil
		}
	}
	return errNotReplica
}

func (f *failoverState) begin() (abort <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state, f.abort = "waiting-for-sync", make(chan struct{})
	return f.abort
}

func (f *failoverState) set(state string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state = state
}

// stop ends the wait of a failover, and reports false if there is none.
func (f *failoverState) stop() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.abort == nil {
		return false
	}
	close(f.abort)
	f.abort = nil
	return true
}

func (f *failoverState) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state, f.abort = "", nil
}

func (f *failoverState) running() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state != ""
}

// String is what INFO shows.
func (f *failoverState) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.state == "" {
		return "no-failover"
	}
	return f.state
}

// runFailover waits for the replica, and hands over to it. Writes are paused.
func (n *Node) runFailover(o failoverOptions, abort <-chan struct{}) {
	defer n.env.Unpause()
	defer n.failover.end()
	n.handOver(o, abort, func(tx *store.Tx, to target) {
		n.failover.set("failover-in-progress")
		l := newLink(n, to.host, to.port)
		l.handsOver = true
		n.follow(tx, l)
	})
}

// HandOver waits until the replica at an address has applied all, and calls then within a transaction that holds all
// shards. Clients write nothing meanwhile. If the timeout passes first, it gives up and reports false.
func (n *Node) HandOver(host string, port int, timeout time.Duration, then func(tx *store.Tx)) (done bool) {
	n.env.PauseWrites()
	defer n.env.Unpause()
	return n.handOver(failoverOptions{host: host, port: port, timeout: timeout}, nil,
		func(tx *store.Tx, _ target) { then(tx) })
}

// handOver waits for a target and calls then within a transaction that holds all shards. It reports false if there is
// none. Writes must be paused.
func (n *Node) handOver(o failoverOptions, abort <-chan struct{}, then func(tx *store.Tx, to target)) (done bool) {
	for !done {
		to, ok := n.awaitTarget(o, abort)
		if !ok {
			return false
		}
		n.env.Store.Exclusively(func(tx *store.Tx) {
			// A call that ran before the pause may have written since.
			if done = to.forced || n.history.upToDate(to.host, to.port) != nil; done {
				then(tx, to)
			}
		})
	}
	return true
}

// target is the replica that a failover makes the master.
type target struct {
	host   string
	port   int
	forced bool // the timeout has passed
}

// awaitTarget waits until the target, or any replica, has applied all.
func (n *Node) awaitTarget(o failoverOptions, abort <-chan struct{}) (t target, ok bool) {
	expired, stop := n.history.expiry(o.timeout)
	defer stop()
	n.history.askForAcks()
	for {
		_, changed := n.history.watchAcks(0)
		if r := n.history.upToDate(o.host, o.port); r != nil {
			return target{host: r.host, port: r.port}, true
		}
		select {
		case <-changed:
		case <-expired:
			return target{o.host, o.port, true}, o.force
		case <-abort:
			return t, false
		case <-n.env.Stopped():
			return t, false
		}
	}
}

// upToDate returns a replica that has applied all, that at an address if one is given; nil if there is none.
func (h *history) upToDate(host string, port int) *replica {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.replicas {
		if r.acked >= h.offset && (host == "" || r.host == host && r.port == port) {
			return r
		}
	}
	return nil
}

// errHistories is the error for a master that hands over to a replica of another one.
var errHistories = errors.New("ERR PSYNC FAILOVER replid must match my replid.")

// takeOver makes the server a master, since its master asks for that by PSYNC id offset FAILOVER.
func takeOver(c *command.Call) error {
	n := NodeOf(c.Env())
	if id, _ := n.history.resumeAt(); id != string(c.Arg(1)) {
		return errHistories
	}
	n.Promote(c.Tx)
	return nil
}
