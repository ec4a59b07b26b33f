package data_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// The payloads that redis-server 8.2.3 and Valkey 9.1.2 return for values whose form came with Redis 7.2 and later.
func TestDump_Versions(t *testing.T) {
	const (
		packedSet = "\x14\x0f\x0f\x00\x00\x00\x03\x00\x81a\x02\x81b\x02\f\x01\xff\f\x00q\xc0\xca\x82zK\x13\xc6"
		triples   = "\x19\x00@\x94R\xa3\x03\x00\x00,,\x00\x00\x00\t\x00\x81b\x02\x02\x01\xf4\x00@\x94R\xa3\x03\x00\x00\t" +
			"\x81a\x02\x01\x01\xf4\xe8C\x94R\xa3\x03\x00\x00\t\x81c\x02\x03\x01\x00\x01\xff\f\x00W*\xbd\x9f\x8d" +
			"\xcd\xb9A"
		ofValkey = "\x16\x01\x01b\xc0\x02\x00@\x94R\xa3\x03\x00\x00P\x00\xe40\xc4\xae\xb9%#\xbd"
	)
	for server, dumps := range map[string][]string{
		"8.2": {"SADD k a b 12", packedSet,
			"HSET k a 1 b 2 c 3; HPEXPIREAT k 4000000000000 FIELDS 1 b; HPEXPIREAT k 4000000001000 FIELDS 1 a", triples},
		"valkey-9.1": {
			"HSET k b 2; HPEXPIREAT k 4000000000000 FIELDS 1 b", ofValkey},
	} {
		c := commandtest.NewClient(t, commandtest.NewEnvOf(t, server))
		for i := 0; i < len(dumps); i += 2 {
			c.Do("DEL k")
			for line := range strings.SplitSeq(dumps[i], "; ") {
				c.Do(line)
			}
			got, err := strconv.Unquote(c.Do("DUMP k"))
			require.NoError(t, err)
			require.Equal(t, dumps[i+1], got, dumps[i])
		}
	}
}

// A large hash of redis-server 8.2.3, whose fields come in the order of a table.
func TestRestore_ExpiringFields(t *testing.T) {
	const payload = "\x18\x00@\x94R\xa3\x03\x00\x00\x02\x00\x01a\xc3\t@F\x01xx\xe09\x00\x01xx\x01\x01b\xc0\x02" +
		"\f\x00\x1e\x007r\x064\x04\xa6"
	c := commandtest.NewClient(t, commandtest.NewEnvOf(t, "8.2"))
	require.Equal(t, "OK", c.DoStrings("RESTORE", "k", "0", payload))
	c.Want(
		"HSTRLEN k a", "70",
		"HPEXPIRETIME k FIELDS 2 a b", "[-1 4000000000000]",
		"COPY k k2", "1",
		"HPEXPIRETIME k2 FIELDS 2 a b", "[-1 4000000000000]",
	)
	old := commandtest.NewClient(t, commandtest.NewEnvOf(t, "7.0"))
	require.Equal(t, "ERR DUMP payload version or checksum are wrong", old.DoStrings("RESTORE", "k", "0", payload))
}
