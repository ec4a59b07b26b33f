package command

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/tracking"
)

// ReplyBlock is the size in bytes of a client's output buffer in Redis, and of a node of its reply list
// (PROTO_REPLY_CHUNK_BYTES).
const ReplyBlock = 16 << 10

// clientField is a field of the line that describes a client in CLIENT LIST.
type clientField struct {
	name  string // with the sign =
	since string // which servers have it (emulate.Server.Has)
	value func(l *clientLine) any
}

// clientLine is what the fields of a line are made of.
type clientLine struct {
	*Session
	now           time.Time
	self          bool // the client asks about itself
	track         tracking.State
	request, argv int // bytes, known of the client itself only
	pending, list int // bytes that are not sent yet, and those of them in the reply list
}

// clientFields are all fields in the order of Redis. Of output buffers only the bytes that are not sent yet are known.
var clientFields = []clientField{
	{"id=", "", func(l *clientLine) any { return l.ID }},
	{"addr=", "", func(l *clientLine) any { return l.Addr }},
	{"laddr=", "", func(l *clientLine) any { return l.LocalAddr }},
	{"fd=", "", func(*clientLine) any { return -1 }},
	{"name=", "", func(l *clientLine) any { return l.Name() }},
	{"age=", "", func(l *clientLine) any { return l.Age(l.now) }},
	{"idle=", "", func(l *clientLine) any { return l.Idle(l.now) }},
	{"flags=", "", func(l *clientLine) any { return l.FlagLetters() }},
	{"capa=", "valkey-8.1", func(l *clientLine) any { return l.Capabilities() }},
	{"db=", "", func(l *clientLine) any { return l.DB() }},
	{"sub=", "", func(l *clientLine) any { return l.info.subs.Load() }},
	{"psub=", "", func(l *clientLine) any { return l.info.psubs.Load() }},
	{"ssub=", "", func(l *clientLine) any { return l.info.ssubs.Load() }},
	{"multi=", "", func(l *clientLine) any { return l.Queued() }},
	{"watch=", "7.4 valkey-8.0", func(l *clientLine) any { return l.Watched() }},
	{"qbuf=", "", func(l *clientLine) any { return l.queryBuffer() }},
	{"qbuf-free=", "", none},
	{"argv-mem=", "", func(l *clientLine) any { return l.argv }},
	{"multi-mem=", "", none},
	{"rbs=", "", none},
	{"rbp=", "", none},
	{"obl=", "", func(l *clientLine) any { return min(l.pending, ReplyBlock) }},
	{"oll=", "", func(l *clientLine) any { return (l.list + ReplyBlock - 1) / ReplyBlock }},
	{"omem=", "", func(l *clientLine) any { return l.list }},
	{"tot-mem=", "", func(l *clientLine) any { return l.request + l.pending }},
	{"events=", "", func(*clientLine) any { return "r" }},
	{"cmd=", "", func(l *clientLine) any { return l.lastCommand() }},
	{"user=", "", func(l *clientLine) any { return l.User().Name }},
	{"redir=", "", func(l *clientLine) any { return l.track.RedirectID() }},
	{"resp=", "", func(l *clientLine) any { return l.info.proto.Load() }},
	{"lib-name=", "7.2", func(l *clientLine) any { return l.LibName() }},
	{"lib-ver=", "7.2", func(l *clientLine) any { return l.LibVersion() }},
	{"io-thread=", "8.0", none},
	{"tot-net-in=", "8.2 valkey-8.1", func(l *clientLine) any { return l.Traffic.Sum().In }},
	{"tot-net-out=", "8.2 valkey-8.1", func(l *clientLine) any { return l.Traffic.Sum().Out }},
	{"tot-cmds=", "8.2 valkey-8.1", func(l *clientLine) any { return l.callsSoFar() }},
}

// none is the value of fields about what minilockd does not have.
func none(*clientLine) any { return 0 }

// clientFieldsOf returns the fields that a server has.
func clientFieldsOf(s *emulate.Server) (fields []clientField) {
	for _, f := range clientFields {
		if s.Has(f.since) {
			fields = append(fields, f)
		}
	}
	return fields
}

// queryBuffer returns the bytes in the client's buffer for requests.
func (l *clientLine) queryBuffer() int {
	if l.env.Table.Server.Does(emulate.QueryBufferShared) {
		return 0
	}
	return l.request
}

// lastCommand returns the name of the last command, NULL for none or an unknown one.
func (l *clientLine) lastCommand() string {
	name, _ := l.LastCommand()
	return cmp.Or(name, "NULL")
}

// callsSoFar returns how many calls of the client have ended. To other clients the end of a batch counts.
func (l *clientLine) callsSoFar() int64 {
	if l.self {
		return l.undoLog.Calls
	}
	return l.info.calls.Load()
}

// Describe returns the line of CLIENT LIST for the session. self is the call that wants it.
func (s *Session) Describe(now time.Time, self *Call) string {
	l := clientLine{Session: s, now: now, self: s == self.Session, track: s.Tracker().State(), pending: s.peer.Pending()}
	if l.self {
		l.request, l.argv = requestSize(self.Args)
	}
	l.list = max(l.pending-ReplyBlock, 0)
	var text strings.Builder
	for i, f := range s.env.Table.clientFields {
		if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(f.name)
		fmt.Fprint(&text, f.value(&l))
	}
	text.WriteByte('\n')
	return text.String()
}
