package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

// The options of HEXPIRE, HGETEX and HSETEX in Valkey.

const fieldsMismatch = "ERR numfields should be greater than 0 and match the provided number of fields"

func inValkey(t *testing.T, f func(c *commandtest.BubbleClient)) {
	t.Helper()
	commandtest.InBubbleOf(t, "valkey-9.1", f)
}

func TestHExpire_OptionsLikeExpire(t *testing.T) {
	inValkey(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSET h a 1 b 2", "2",
			"HEXPIRE h 10 NX NX FIELDS 2 a missing", "[1 -2]",
			"HEXPIRE h 20 XX GT FIELDS 2 a b", "[1 0]",
			"HEXPIRE h 10 NX XX FIELDS x a", "ERR NX and XX, GT or LT options at the same time are not compatible",
			"HEXPIRE h 10 GT LT FIELDS 1 a", "ERR GT and LT options at the same time are not compatible",
			"HEXPIRE h x FOO FIELDS 1 a", "ERR Unsupported option FOO",
			"HEXPIRE h 10 a a a", fieldsMismatch,
			"HEXPIRE h -1 FIELDS 2 a", fieldsMismatch,
			"HEXPIRE h 10 FIELDS 0 a", fieldsMismatch,
			"HEXPIRE h 10 FIELDS 1 a NX", fieldsMismatch,
			"HEXPIRE h 10 FIELDS x a", "ERR value is not an integer or out of range",
			"HEXPIRE h x FIELDS 1 a", "ERR value is not an integer or out of range",
			"HEXPIRE h -1 FIELDS 1 a", "ERR invalid expire time in 'hexpire' command",
			"HPEXPIREAT h 9223372036854775807 FIELDS 1 a", "[1]",
			"HPEXPIRETIME h FIELDS 1 a", "[9223372036854775807]",
			"SET s v", "OK",
			"HEXPIRE s x FIELDS 1 a", "ERR value is not an integer or out of range",
			"HEXPIRE s 10 FIELDS 1 a", wrongType,
		)
	})
}

func TestHTTL_ErrorsBeforeKey(t *testing.T) {
	inValkey(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET s v", "OK",
			"HTTL s FOO 1 a", syntaxError,
			"HTTL s FIELDS 2 a", syntaxError,
			"HTTL s FIELDS x a", "ERR value is not an integer or out of range",
			"HTTL s FIELDS 1 a", wrongType,
			"HPERSIST s FOO 1 a", syntaxError,
			"HPERSIST s FIELDS 2 a", fieldsMismatch,
			"HGETDEL missing FIELDS 0 a", fieldsMismatch,
			"HGETDEL missing FIELDS 1 a", "[nil]",
		)
	})
}

func TestHGetEx_OptionsLikeGetEx(t *testing.T) {
	inValkey(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSET h a 1 b 2", "2",
			"HGETEX h EX 10 EX 20 FIELDS 1 a", `["1"]`,
			"HTTL h FIELDS 1 a", "[20]",
			"HGETEX h PERSIST PERSIST FIELDS 1 a", `["1"]`,
			"HGETEX h EX 10 PX 10 FIELDS 1 a", syntaxError,
			"HGETEX h EX 10 PERSIST FIELDS 1 a", syntaxError,
			"HGETEX h EX FIELDS 1 a", syntaxError,
			"HGETEX h KEEPTTL FIELDS 1 a", syntaxError,
			"HGETEX h NX FIELDS 1 a", syntaxError,
			"HGETEX h EX 10 1 1 1", fieldsMismatch,
			"HGETEX h FIELDS 1 a EX 10", fieldsMismatch,
			"HGETEX missing EX -1 FIELDS 1 a", "ERR invalid expire time in 'hgetex' command",
			"SET s v", "OK",
			"HGETEX s EX -1 FIELDS 1 a", wrongType,
		)
	})
}

func TestHSetEx_OptionsLikeSet(t *testing.T) {
	inValkey(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSETEX h XX FIELDS 1 a 1", "0",
			"HSETEX h NX FNX FIELDS 1 a 1", "1",
			"HSETEX h NX FIELDS 1 b 1", "0",
			"HSETEX h XX FXX FIELDS 2 a 1 b 1", "0",
			"HSETEX h EX 10 EX 20 FIELDS 1 a 2", "1",
			"HSETEX h KEEPTTL KEEPTTL FIELDS 1 a 3", "1",
			"HTTL h FIELDS 1 a", "[20]",
			"HSETEX h NX XX FIELDS 1 a 1", syntaxError,
			"HSETEX h FXX FNX FIELDS 1 a 1", syntaxError,
			"HSETEX h EX 10 KEEPTTL FIELDS 1 a 1", syntaxError,
			"HSETEX h PERSIST FIELDS 1 a 1", syntaxError,
			"HSETEX h FIELDS 1 a 1 b", fieldsMismatch,
			"HSETEX h FIELDS 2 a 1", fieldsMismatch,
			"HSETEX h NX EX -1 FIELDS 1 a 1", "0",
			"HSETEX h FNX EX -1 FIELDS 1 a 1", "ERR invalid expire time in 'hsetex' command",
			"HGETALL h", `["a" "3"]`,
		)
	})
}

func TestHashFields_PastExpiry(t *testing.T) {
	inValkey(t, func(c *commandtest.BubbleClient) {
		c.Do("HSET h a 1 b 2 c 3 d 4")
		c.WantEvents("HEXPIRE h 0 FIELDS 1 a", "hexpired h")
		c.WantEvents("HGETEX h PXAT 1 FIELDS 1 b", "hexpired h")
		c.WantEvents("HSETEX h EX 0 FIELDS 1 c 5", "hset h", "hexpire h", "hexpired h")
		c.WantEvents("HPEXPIREAT h 1 FIELDS 1 d", "hexpired h", "del h")
	})
}

func TestHashes_EncodingOfFieldsThatExpire(t *testing.T) {
	for server, want := range map[string]string{"8.2": `"listpackex"`, "valkey-9.1": `"hashtable"`} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			c.Want(
				"HSET h a 1", "1",
				"OBJECT ENCODING h", `"listpack"`,
				"HEXPIRE h 10 FIELDS 1 a", "[1]",
				"OBJECT ENCODING h", want,
				"HPERSIST h FIELDS 1 a", "[1]",
				"OBJECT ENCODING h", want,
				"COPY h h2", "1",
				"OBJECT ENCODING h2", want,
			)
		})
	}
}
