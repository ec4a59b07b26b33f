package replication

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/network"
	"github.com/minilockd/minilockd/internal/resp"
)

// link is the connection of a replica to its master. It connects again until it is stopped.
type link struct {
	node    *Node
	host    string
	port    int
	session *command.Session
	inbox   inbox
	applied atomic.Int64 // the last byte of the history that was applied
	state   atomic.Int32
	heard   atomic.Int64 // when something was received last, in ms since the epoch; 0 if never
	lost    atomic.Int64 // when the connection ended, in ms since the epoch
	ended   chan struct{}
	once    sync.Once
	done    sync.WaitGroup
	conn    atomic.Pointer[net.Conn]

	handsOver bool // the master is still a replica of this server, which asks it to take over
}

// The states of a link.
const (
	connecting int32 = iota
	handshaking
	receiving
	online
)

// stateNames are those of ROLE.
var stateNames = [...]string{"connect", "connecting", "sync", "connected"}

func newLink(n *Node, host string, port int) *link {
	l := &link{node: n, host: host, port: port, ended: make(chan struct{})}
	l.inbox.init(n)
	l.session = command.NewMasterSession(n.env, n.env.NextID(), network.Addr(host, port), &peer{l})
	return l
}

// start runs the link once another one, which may be nil, has ended.
func (l *link) start(after *link) {
	l.done.Add(1)
	go func() {
		defer l.done.Done()
		if after != nil {
			after.done.Wait()
		}
		l.run()
	}()
}

// stop ends the link. What was not applied yet never will be. It does not wait.
func (l *link) stop() {
	l.once.Do(func() { close(l.ended) })
	l.inbox.stop()
	l.disconnect()
}

func (l *link) disconnect() {
	if conn := l.conn.Load(); conn != nil {
		_ = (*conn).Close()
	}
}

// stopped reports whether stop was called.
func (l *link) stopped() bool {
	select {
	case <-l.ended:
		return true
	default:
		return false
	}
}

// connected reports whether the history arrives.
func (l *link) connected() bool { return l.state.Load() == online }

// rejectStale returns the error for a call to a replica that has lost its master (replica-serve-stale-data).
func (l *link) rejectStale(flags command.Flags) error {
	if !l.connected() && !flags.Has(command.Stale) && l.node.env.Config.Get("replica-serve-stale-data") == "no" {
		return errMasterDown
	}
	return nil
}

// run follows the master until the link is stopped. It retries with growing pauses.
func (l *link) run() {
	defer l.session.Close()
	const firstPause, lastPause = 5 * time.Millisecond, time.Second
	pause := firstPause
	for !l.stopped() {
		synced, err := l.follow()
		l.state.Store(connecting)
		l.lost.Store(l.node.env.Clock.Now().UnixMilli())
		if l.stopped() {
			return
		}
		if synced {
			pause = firstPause
		}
		l.node.env.Log.Warn("the connection to the master has ended", "master", l.session.Addr, "error", err)
		select {
		case <-l.ended:
		case <-time.After(pause): //nolint:forbidigo // the network recovers in real time
			pause = min(2*pause, lastPause)
		}
	}
}

// follow connects and applies the history until the connection ends. synced says whether it has begun.
func (l *link) follow() (synced bool, err error) {
	conn, err := l.node.env.Dial(l.host, strconv.Itoa(l.port))
	if err != nil {
		return false, err
	}
	defer conn.Close()
	l.conn.Store(&conn)
	if l.stopped() {
		return false, nil
	}
	l.state.Store(handshaking)
	m := &master{link: l, conn: conn, in: bufio.NewReaderSize(conn, 4<<10)}
	if err := m.introduce(); err != nil {
		return false, err
	}
	if err := m.sync(); err != nil {
		return false, err
	}
	l.state.Store(online)
	return true, m.stream()
}

// master is a connection to the master.
type master struct {
	link *link
	conn net.Conn
	in   *bufio.Reader
}

var errRefused = errors.New("the master refuses")

// introduce says who the replica is.
func (m *master) introduce() error {
	env := m.link.node.env
	cfg := env.Config
	reply, err := m.ask("PING")
	if err != nil {
		return err
	}
	if reply[0] == '-' && !strings.HasPrefix(reply, "-NOAUTH") && !strings.HasPrefix(reply, "-NOPERM") {
		return fmt.Errorf("%w: PING: %s", errRefused, reply[1:])
	}
	if err := m.logIn(cfg.Get("masterauth")); err != nil {
		return err
	}
	port := cmp.Or(cfg.Get("replica-announce-port"), "0")
	if port == "0" {
		port = strconv.Itoa(env.Port)
	}
	if _, err := m.ask("REPLCONF", "listening-port", port); err != nil {
		return err
	}
	host := cfg.Get("replica-announce-ip")
	if host == "" && env.Member != nil {
		host = env.Member.Host
	}
	if host != "" {
		if _, err := m.ask("REPLCONF", "ip-address", host); err != nil {
			return err
		}
	}
	_, err = m.ask("REPLCONF", "capa", "psync2")
	return err
}

// logIn sends a password, as masteruser, unless it is empty.
func (m *master) logIn(password string) error {
	if password == "" {
		return nil
	}
	auth := []string{"AUTH", password}
	if user := m.link.node.env.Config.Get("masteruser"); user != "" {
		auth = []string{"AUTH", user, password}
	}
	reply, err := m.ask(auth...)
	if err == nil && reply[0] == '-' {
		err = fmt.Errorf("%w: AUTH: %s", errRefused, reply[1:])
	}
	return err
}

// ask sends a command and returns the line of its reply.
func (m *master) ask(args ...string) (string, error) {
	if err := m.send(args...); err != nil {
		return "", err
	}
	return m.line()
}

func (m *master) send(args ...string) error {
	list := make([][]byte, len(args))
	for i, arg := range args {
		list[i] = []byte(arg)
	}
	_, err := m.conn.Write(resp.AppendCommand(nil, list...))
	return err
}

// line reads a line that is not empty: a master that works on a copy sends empty ones meanwhile.
func (m *master) line() (string, error) {
	for {
		line, err := m.in.ReadString('\n')
		if err != nil {
			return "", err
		}
		m.link.hear()
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			return line, nil
		}
	}
}

// hear notes that the master lives.
func (l *link) hear() { l.heard.Store(l.node.env.Clock.Now().UnixMilli()) }

// sync asks for the history, from where the replica is, and loads a full copy if that is not possible.
func (m *master) sync() error {
	l := m.link
	id, next := l.node.history.resumeAt()
	request := []string{"PSYNC", id, strconv.FormatInt(next, 10)}
	if l.handsOver {
		request = append(request, "FAILOVER")
	}
	reply, err := m.ask(request...)
	if err != nil {
		return err
	}
	l.handsOver = false
	fields := strings.Fields(reply)
	switch {
	case fields[0] == "+CONTINUE":
		if len(fields) > 1 {
			l.node.history.rename(fields[1])
		}
		l.begin(next - 1)
		return nil
	case fields[0] == "+FULLRESYNC" && len(fields) == 3:
		return m.load(fields[1], fields[2])
	}
	return fmt.Errorf("%w: PSYNC: %s", errRefused, reply)
}

// load replaces all data by a copy of the master's.
func (m *master) load(id, position string) error {
	l := m.link
	offset, err := strconv.ParseInt(position, 10, 64)
	if err != nil {
		return err
	}
	l.state.Store(receiving)
	file, err := m.file()
	if err != nil {
		return err
	}
	if err := l.node.replaceData(l, file); err != nil {
		return err
	}
	l.node.history.adopt(id, offset)
	l.begin(offset)
	return nil
}

// begin notes up to which byte the data have the history.
func (l *link) begin(offset int64) {
	l.applied.Store(offset)
	l.inbox.begin(offset)
}
