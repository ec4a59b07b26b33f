package replication

import (
	"strings"
	"time"

	"github.com/minilockd/minilockd/command"
)

// pingLocked makes the master send a PING to its replicas every repl-ping-replica-period seconds of real time, since a
// replica closes a connection on which nothing comes. One of this process does not.
func (h *history) pingLocked(s *command.Session) {
	if h.pinging != nil || strings.HasPrefix(s.Addr, "memory:") {
		return
	}
	stop := make(chan struct{})
	h.pinging = stop
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(h.pingPeriod()): //nolint:forbidigo // the replica's limit is on real time
			}
			h.sendPing()
		}
	}()
}

func (h *history) pingPeriod() time.Duration {
	seconds, _ := command.ParseInt([]byte(h.env.Config.Get("repl-ping-replica-period")))
	return time.Duration(max(seconds, 1)) * time.Second
}

// sendPing adds a PING to the history of a master that has replicas.
func (h *history) sendPing() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.replicas) > 0 && !h.env.IsReplica() {
		h.appendLocked(ping)
	}
}
