package compat

import (
	"regexp"
	"testing"

	"github.com/minilockd/minilockd/internal/testenv"
)

// knownDifference is an intended difference from Redis' replies: the names of the cases, and the reason.
type knownDifference struct {
	test, name string // name is a regular expression
	sameKind   bool   // the replies have the same type
	byChance   bool   // it does not occur in every run
	reason     string
}

// knownDifferences are all intended differences. One that does not occur any more fails the full test.
//
// Keyspace events of a client's own commands in RESP3 are not compared: Redis 7.0 sends them before, after or within
// the reply, depending on the command, and later versions after it. minilockd sends them before it.
var knownDifferences = []knownDifference{
	{"modes", `SUBSCRIBE c.* · S?PUBLISH c m (in MULTI|then in MULTI)`, false, false,
		"Redis 7.0 sends the client's own message within the array of EXEC (7.2 does not)"},
	{"modes", `^SUBSCRIBE c d c · UNSUBSCRIBE `, false, true,
		"Redis unsubscribes from all channels in the order of a hash table"},
	{"modes", `^CLIENT KILL .*{self}.* · EVAL .* in MULTI`, true, false,
		"for a connection that it is to close, Redis sends only the array headers of a script's reply"},
	{"substitution", `^[SHZ]?SCAN `, true, true, "cursors and order depend on the hash table"},
	{"substitution", `^MEMORY USAGE "?"? ?(SAMPLES 5)?`, true, false, "each server reports its own memory"},
	{"substitution", `^SLOWLOG GET`, true, true, "slow commands depend on the machine"},
	{"handshakes", `: [A-Z]+ HELP$`, true, false, "minilockd has its own help texts, with newer subcommands"},
	{"handshakes", `: COMMAND DOCS get`, true, false, "minilockd has its own summaries"},
	{"handshakes", `: INFO`, true, false, "depends on machine and time; see TestInfo_Fields"},
	{"handshakes", `: COMMAND( COUNT)?$`, true, false, "there are newer commands; see TestCommandInfo"},
	{"handshakes", `: CLIENT (LIST|INFO)$`, true, false, "addresses, ages and memory"},
	{"handshakes", `: (MEMORY|LATENCY) (DOCTOR|MALLOC-STATS)`, false, false, "minilockd has its own texts and memory"},
	{"handshakes", `: LOLWUT$`, true, false, "minilockd shows the version alone"},
	{"requests", `^"(PING.r.n){10}`, false, false,
		"a redis-server with the security fix of April 2025 closes unauthenticated clients with 16 KB of replies"},
	{"logs", `of (AUTH u p x|HELLO 2 NOSUCH AUTH u p|HELLO 9 AUTH u p)$`, true, false,
		"Redis shows the password if the call fails early; minilockd hides it"},
	{"logs", `of CONFIG SET tls-(client-)?key-file-pass secret`, true, false,
		"a redis-server without TLS shows this secret; minilockd hides it"},
}

// differences counts cases, and reports unknown differences.
type differences struct {
	t              *testing.T
	test           string
	met            map[string]bool // known differences that occurred
	cases, unknown int
}

func newDifferences(t *testing.T, test string) *differences {
	return &differences{t: t, test: test, met: map[string]bool{}}
}

// known reports whether a difference is a known one.
func (d *differences) known(name, want, got string) bool {
	for _, k := range knownDifferences {
		alike := !k.sameKind || want != "" && got != "" && want[:min(2, len(want))] == got[:min(2, len(got))]
		if k.test == d.test && alike && regexp.MustCompile(k.name).MatchString(name) {
			d.met[k.name] = true
			return true
		}
	}
	return false
}

// maxReported is how many differences are reported.
const maxReported = 40

// compare compares the replies of both servers in a case.
func (d *differences) compare(name, want, got string) {
	d.t.Helper()
	d.cases++
	if want == got || d.known(name, want, got) {
		return
	}
	if d.unknown++; d.unknown <= maxReported {
		d.t.Errorf("%s\n   redis: %s\n  target: %s", name, want, got)
	}
}

// end logs the number of cases, and reports known differences that did not occur.
func (d *differences) end() {
	d.t.Helper()
	d.t.Logf("%d cases, %d unknown differences", d.cases, d.unknown)
	for _, k := range knownDifferences {
		if k.test == d.test && !d.met[k.name] && !k.byChance && testenv.Long() {
			d.t.Errorf("known difference does not occur: %s: %s", k.name, k.reason)
		}
	}
}
