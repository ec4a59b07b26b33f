package compat

import (
	"fmt"
	"strings"
	"testing"
)

// rawRequests are unusual requests: inline commands, invalid framing, sizes at the limits. Each is sent over a new
// connection; all bytes that come back are compared.
var rawRequests = []string{
	"", "\r\n", "\n", "\r\n\r\n\r\nPING\r\n", "  \r\nPING\r\n", "PING\n", "PING\r\r\n", "PING", "PING\x00\r\n",
	"\x00\r\n",
	"ping\r\nPiNg\r\n", "  PING  \r\n", "\tPING\t\r\n", "PING a\r\n", "ECHO \"a b\"\r\n", "ECHO 'a b'\r\n",
	"ECHO \"\\x41\\n\\t\\\"\"\r\n",
	"ECHO 'it\\'s'\r\n", "ECHO \"a\"b\r\n", "ECHO 'a'b\r\n", "ECHO a\"b\"\r\n", "ECHO \"a\r\n",
	"ECHO 'a\r\nPING\r\n", "ECHO \"\"\r\n", "ECHO ''\r\n",
	"ECHO \"\\xzz\"\r\n", "ECHO \\x41\r\n", "ECHO a\x00b\r\n", "SET k\r\n", "NOSUCH a b\r\n", "\"PING\"\r\n",
	"\"\"\r\n", "ECHO \xff\xfe\r\n",
	"*0\r\nPING\r\n", "*-1\r\nPING\r\n", "*-2\r\nPING\r\n", "*00\r\nPING\r\n", "*+1\r\n$4\r\nPING\r\n",
	"*01\r\n$4\r\nPING\r\n", "* 1\r\n$4\r\nPING\r\n",
	"*1 \r\n$4\r\nPING\r\n", "*1\n$4\nPING\n", "*\r\n", "*x\r\nPING\r\n", "*1.0\r\n", "*1048576\r\nPING\r\n",
	"*1048577\r\nPING\r\n",
	"*2147483647\r\nPING\r\n", "*2147483648\r\n", "*9223372036854775808\r\n", "*-9223372036854775809\r\n",
	"*99999999999999999999\r\n",
	"*1\r\n$0\r\n\r\nPING\r\n", "*1\r\n$-1\r\nPING\r\n", "*1\r\n$-2\r\n", "*1\r\n$+4\r\nPING\r\n",
	"*1\r\n$04\r\nPING\r\n", "*1\r\n$ 4\r\nPING\r\n",
	"*1\r\n$4 \r\nPING\r\n", "*1\r\n$x\r\n", "*1\r\n$\r\n", "*1\r\n$536870912\r\n", "*1\r\n$536870913\r\n",
	"*1\r\n$9223372036854775807\r\n",
	"*1\r\n$9223372036854775808\r\n", "*1\r\n4\r\nPING\r\n", "*1\r\n:4\r\n", "*1\r\n+PING\r\n", "*1\r\n-PING\r\n",
	"*1\r\n*1\r\n$4\r\nPING\r\n",
	"*1\r\n\r\n", "*1\r\n\x00\r\n", "*1\r\n\"\r\n", "*1\r\n$4\r\nPINGxxPING\r\n", "*1\r\n$4\r\nPING\r\nPING\r\n",
	"*1\r\n$5\r\nPING\r\nPING\r\n", "*1\r\n$3\r\nPING\r\nPING\r\n",
	"*2\r\n$4\r\nECHO\r\n$2\r\n\r\n\r\nPING\r\n", "*2\r\n$4\r\nECHO\r\n$0\r\n\r\n", "*2\r\n$4\r\nECHO\r\n",
	"*2\r\n$4\r\nEC",
	"*1\r\n$4\r\nQUIT\r\n*1\r\n$4\r\nPING\r\n", "QUIT\r\nPING\r\n", "QUIT now\r\nPING\r\n",
	"PING\r\n*x\r\nPING\r\n", "MULTI\r\n*x\r\nEXEC\r\n", "SUBSCRIBE a\r\n*x\r\n",
	"GET / HTTP/1.1\r\nAccept: x\r\n\r\n", "POST / HTTP/1.1\r\nHost: x\r\n\r\nSET pwned 1\r\n",
	"Host: x\r\nPING\r\n", "post\r\nPING\r\n", "*1\r\n$4\r\nPOST\r\nPING\r\n",
	"*2\r\n$5\r\nhost:\r\n$1\r\nx\r\nPING\r\n", "+PING\r\n", "$4\r\nPING\r\n", ":1\r\n", ">1\r\n$4\r\nPING\r\n",
	"~1\r\n", "%1\r\n", "_\r\nPING\r\n",
	"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\nPING\r\n", "PROXY TCP4 1.1.1.1 1.1.1.1 1 1\r\nPING\r\n",
	"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$3\r\na\r\nPING\r\n", "*1\r\n$4\r\nPING\r*1\r\n$4\r\nPING\r\n",
	"*1\r$4\r\nPING\r\n", "*1\r\r\n$4\r\nPING\r\n",
	"HELLO 3\r\n*x\r\n", "HELLO 3\r\nECHO \"a\r\n", "CLIENT REPLY OFF\r\n*x\r\n", "CLIENT REPLY SKIP\r\n*x\r\n",
	"MONITOR\r\n*x\r\n", "BLPOP none 0\r\n*x\r\n",
}

// longRequests returns requests around the limits of the input.
func longRequests() []string {
	long := strings.Repeat("a", 64<<10)
	return []string{
		long[:64<<10-7] + "\r\nPING\r\n", "ECHO " + long[:64<<10-8] + "\r\nPING\r\n", long + "aa",
		"ECHO " + long + long + "\r\n",
		"*" + strings.Repeat("1", 64<<10+1), "*1\r\n$" + strings.Repeat("1", 64<<10+1), "*1\r\n" + long + "aa",
		"NOSUCH " + long[:1000] + " " + long[:1000] + "\r\n",
		long[:1000] + " x\r\n", strings.Repeat("PING\r\n", 1000),
		"*2\r\n$4\r\nECHO\r\n$65536\r\n" + long + "\r\nPING\r\n",
		"*2\r\n$4\r\nECHO\r\n$131072\r\n" + long + long + "\r\nPING\r\n", strings.Repeat("\r\n", 1000) + "PING\r\n",
		strings.Repeat("*0\r\n", 1000) + "PING\r\n",
	}
}

// Any bytes get the same reply as from Redis, and the connection is closed in the same cases.
func TestRawRequests(t *testing.T) {
	ref, target := startReference(t), startTarget(t)
	d := newDifferences(t, "requests")
	defer d.end()
	compare := func(raw string) {
		answer := func(address string) string {
			words := readUntilClose(t, connect(t, address), []byte(raw))
			return readable(maskPerRun(strings.TrimSuffix(words, "(reset)"))) // a reset depends on unread input
		}
		d.compare(fmt.Sprintf("%.120q", raw), answer(ref), answer(target))
	}
	requests := append(rawRequests, longRequests()...)
	for _, raw := range requests {
		compare(raw)
	}
	// Unauthenticated clients may send little.
	for _, address := range []string{ref, target} {
		dial(t, address).do(t, "CONFIG", "SET", "requirepass", "secret")
	}
	for _, raw := range append(requests,
		"*10\r\n$4\r\nPING\r\n", "*11\r\n$4\r\nPING\r\n", "*1\r\n$16384\r\n", "*1\r\n$16385\r\n",
		"AUTH secret\r\n*11\r\n$4\r\nPING\r\n",
		"HELLO 3 AUTH default secret\r\n*1\r\n$16385\r\n", "MULTI\r\nEXEC\r\nDISCARD\r\nWATCH k\r\nQUIT\r\n",
		"RESET\r\nPING\r\n") {
		compare(raw)
	}
}
