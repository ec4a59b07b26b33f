package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// inHidden runs a test in which active expiry is off and the fields b, c and d of h, which has a too, and the only one
// of alone have expired.
func inHidden(t *testing.T, server string, entries string, test func(*commandtest.BubbleClient)) {
	commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
		c.Want("CONFIG SET hash-max-listpack-entries "+entries, "OK", "DEBUG SET-ACTIVE-EXPIRE 0", "OK",
			"HSET h a 1 b 2 c 3 d 4", "4", "HSET alone b 1", "1", "RPUSH l h", "1",
			"HPEXPIRE h 10 FIELDS 3 b c d", "[1 1 1]", "HPEXPIRE alone 10 FIELDS 1 b", "[1]")
		pass(c, 10*ms)
		test(c)
	})
}

func TestHidden_FieldsCountAndAreNotSeen(t *testing.T) {
	for _, server := range []string{"8.0", "valkey-9.1"} {
		for _, entries := range []string{"128", "0"} {
			inHidden(t, server, entries, func(c *commandtest.BubbleClient) {
				c.Want("HLEN h", "4", "EXISTS alone", "1", "HGETALL h", `["a" "1"]`, "HKEYS alone", "[]",
					"HSCAN h 0", `["0" ["a" "1"]]`, "HTTL h FIELDS 2 b a", "[-2 -1]", "HPERSIST alone FIELDS 1 b", "[-2]",
					"COPY h copy", "1", "HGETALL copy", `["a" "1"]`, "RENAME alone other", "OK", "EXISTS other", "1")
				c.Want("DEBUG SET-ACTIVE-EXPIRE 1", "OK")
				c.Env.Store.ExpireDue()
				c.Want("HLEN h", "1", "EXISTS other", "0")
			})
		}
	}
}

func TestHidden_ExpireWhenNamed(t *testing.T) {
	for line, want := range map[string]struct {
		reply  string
		events []string
	}{
		"HGET h b":                           {"nil", []string{"hexpired h"}},
		"HGET alone b":                       {"nil", []string{"hexpired alone", "del alone"}},
		"HGET h a":                           {`"1"`, nil},
		"HMGET h b c a":                      {`[nil nil "1"]`, []string{"hexpired h"}},
		"HEXISTS alone b":                    {"0", []string{"hexpired alone", "del alone"}},
		"HSTRLEN h b":                        {"0", []string{"hexpired h"}},
		"HSET h b 1 e 1":                     {"1", []string{"hset h"}},
		"HSETNX h b 1":                       {"1", []string{"hexpired h", "hset h"}},
		"HINCRBY alone b 5":                  {"5", []string{"hexpired alone", "del alone", "hincrby alone"}},
		"HINCRBYFLOAT h b 5":                 {`"5"`, []string{"hexpired h", "hincrbyfloat h"}},
		"HDEL h b c":                         {"2", []string{"hdel h"}},
		"HEXPIRE h 100 FIELDS 2 b a":         {"[1 1]", []string{"hexpire h"}},
		"HGETDEL h FIELDS 2 b a":             {`[nil "1"]`, []string{"hexpired h", "hdel h"}},
		"HGETEX h EX 100 FIELDS 2 b a":       {`[nil "1"]`, []string{"hexpired h", "hexpire h"}},
		"HSETEX h FNX FIELDS 2 b 1 c 1":      {"1", []string{"hexpired h", "hset h"}},
		"HSETEX alone FNX FIELDS 1 b 1":      {"1", []string{"hexpired alone", "hset alone"}},
		"HSETEX alone FXX FIELDS 1 b 1":      {"0", []string{"hexpired alone", "del alone"}},
		"HSETEX alone FXX FIELDS 2 x 1 b 1":  {"0", nil},
		"SORT l BY nosort GET *->b GET *->a": {`[nil "1"]`, []string{"hexpired h"}},
		"HRANDFIELD h 5":                     {`["a"]`, []string{"hexpired h"}},
		"HRANDFIELD alone":                   {"nil", []string{"hexpired alone", "del alone"}},
	} {
		t.Run(line, func(t *testing.T) {
			inHidden(t, "8.0", "128", func(c *commandtest.BubbleClient) {
				c.WantEvents(line, want.events...)
			})
			inHidden(t, "8.0", "0", func(c *commandtest.BubbleClient) { c.Want(line, want.reply) })
		})
	}
}

func TestHidden_ExpireWhenSet(t *testing.T) {
	for line, want := range map[string]struct {
		reply  string
		events []string
	}{
		"HMGET h b c a":                      {`[nil nil "1"]`, nil},
		"HSET h b 1 e 1":                     {"2", []string{"hexpired h", "hset h"}},
		"HSETNX alone b 1":                   {"1", []string{"hexpired alone", "hset alone"}},
		"HINCRBY alone b 5":                  {"5", []string{"hexpired alone", "hincrby alone"}},
		"HDEL h b c":                         {"0", nil},
		"HEXPIRE h 100 FIELDS 2 b a":         {"[-2 1]", []string{"hexpire h"}},
		"HGETDEL h FIELDS 2 b a":             {`[nil "1"]`, []string{"hdel h"}},
		"HSETEX h FNX FIELDS 2 b 1 c 1":      {"1", []string{"hexpired h", "hset h"}},
		"HSETEX alone FXX FIELDS 1 b 1":      {"0", nil},
		"SORT l BY nosort GET *->b GET *->a": {`[nil "1"]`, nil},
		"HRANDFIELD h -2":                    {`["a" "a"]`, nil},
		"HRANDFIELD alone":                   {"nil", nil},
		"HRANDFIELD alone -2":                {"[]", nil},
	} {
		t.Run(line, func(t *testing.T) {
			inHidden(t, "valkey-9.1", "128", func(c *commandtest.BubbleClient) {
				c.WantEvents(line, want.events...)
			})
			inHidden(t, "valkey-9.1", "0", func(c *commandtest.BubbleClient) { c.Want(line, want.reply) })
		})
	}
}

// A payload has all fields: else it would say that it has more than there are.
func TestHidden_FieldsAreDumped(t *testing.T) {
	for _, entries := range []string{"128", "0"} {
		inHidden(t, "8.0", entries, func(c *commandtest.BubbleClient) {
			require.Equal(t, "OK", c.DoStrings("EVAL", "return redis.call('restore', 'r', 0, redis.call('dump', 'h'))", "0"))
			c.Want("HGETALL r", `["a" "1"]`)
		})
	}
}

func TestHash_OrderOfExpiry(t *testing.T) {
	commandtest.InBubbleOf(t, "8.0", func(c *commandtest.BubbleClient) {
		c.Want("HSET h a 1 b 2 c 3 d 4", "4", "HEXPIRE h 20 FIELDS 1 d", "[1]", "HKEYS h", `["d" "a" "b" "c"]`,
			"HEXPIRE h 10 FIELDS 1 b", "[1]", "HKEYS h", `["b" "d" "a" "c"]`,
			"HEXPIRE h 20 FIELDS 1 c", "[1]", "HKEYS h", `["b" "c" "d" "a"]`,
			"HEXPIRE h 30 FIELDS 1 b", "[1]", "HKEYS h", `["c" "d" "b" "a"]`,
			"HSET h a 5 e 6", "1", "HSET h c 7", "0", "HGETALL h", `["d" "4" "b" "2" "a" "5" "e" "6" "c" "7"]`,
			"HINCRBY h d 1", "5", "HPERSIST h FIELDS 1 d", "[1]", "HKEYS h", `["b" "a" "e" "c" "d"]`)
	})
}
