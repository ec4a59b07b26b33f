package data_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestHyperLogLog(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"PFADD a", "1",
			"GET a", `"HYLL\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x7f\xff"`,
			"PFADD a", "0",
			"PFADD a x y z foo bar", "1",
			"PFADD a bar", "0",
			"PFCOUNT a", "5",
			"PFDEBUG DECODE a", `"Z:7348 v:5,1 Z:1232 v:1,1 Z:1425 v:1,1 Z:4924 v:3,1 Z:1441 v:2,1 z:9"`,
			"PFADD b x new", "1",
			"PFCOUNT a b missing", "6",
			"PFCOUNT missing", "0",
			"PFCOUNT missing missing", "0",
			"PFMERGE c a missing b", "OK",
			"PFCOUNT c", "6",
			"PFDEBUG ENCODING c", "sparse",
			"PFDEBUG TODENSE c", "1",
			"PFDEBUG TODENSE c", "0",
			"PFDEBUG ENCODING c", "dense",
			"PFCOUNT c", "6",
			"STRLEN c", "12304",
			"PFMERGE d c", "OK",
			"PFDEBUG ENCODING d", "dense",
			"PFMERGE e", "OK",
			"PFCOUNT e", "0",
			"TYPE e", "string",
			"PFSELFTEST", "OK",
		)
	})
}

func TestHyperLogLog_CountIsCachedInTheValue(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"PFADD a x y", "1",
			"GETRANGE a 8 15", `"\x00\x00\x00\x00\x00\x00\x00\x80"`,
			"WATCH a", "OK",
			"PFCOUNT a", "2",
			"MULTI", "OK",
			"EXEC", "nil-array",
			"GETRANGE a 8 15", `"\x02\x00\x00\x00\x00\x00\x00\x00"`,
			"SETRANGE a 8 A", "23",
			"WATCH a", "OK",
			"PFCOUNT a", "65",
			"PFDEBUG TODENSE a", "1",
			"MULTI", "OK",
			"EXEC", "[]",
			"PFADD a z", "1",
			"PFCOUNT a", "3",
		)
	})
}

func TestHyperLogLog_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.WantEvents("PFADD a x", "pfadd a")
		c.WantEvents("PFADD a x")
		c.WantEvents("PFCOUNT a")
		c.WantEvents("PFDEBUG GETREG a")
		c.WantEvents("PFMERGE b a", "pfadd b")
		c.Want("PFDEBUG ENCODING a", "dense")
	})
}

func TestHyperLogLog_Errors(t *testing.T) {
	const (
		wrongType = "WRONGTYPE Operation against a key holding the wrong kind of value"
		noSketch  = "WRONGTYPE Key is not a valid HyperLogLog string value."
		corrupt   = "INVALIDOBJ Corrupted HLL object detected"
	)
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("RPUSH l a", "1", "SET s abc", "OK", "PFADD a x", "1", "PFADD bad x", "1", "SETRANGE bad 18 ?", "20")
		for _, line := range []string{"PFADD %s x", "PFCOUNT %s", "PFCOUNT a %s", "PFMERGE %s", "PFMERGE a %s",
			"PFDEBUG GETREG %s"} {
			c.Want(
				fmt.Sprintf(line, "l"), wrongType,
				fmt.Sprintf(line, "s"), noSketch,
			)
			if !strings.HasPrefix(line, "PFADD") {
				c.Want(fmt.Sprintf(line, "bad"), corrupt)
			}
		}
		c.Want(
			"PFDEBUG x missing", "ERR The specified key does not exist",
			"PFDEBUG x s", noSketch,
			"PFDEBUG x a", "ERR Unknown PFDEBUG subcommand 'x'",
			"PFDEBUG TODENSE bad", corrupt,
			"PFDEBUG TODENSE a", "1",
			"PFDEBUG DECODE a", "ERR HLL encoding is not sparse",
			"EVAL_RO return(redis.call('pfcount',KEYS[1])) 1 a",
			"ERR Write commands are not allowed from read-only scripts. script: "+
				"d8e0c6459d7e983e3d41e7328f89ea5fd25389d0, on @user_script:1.",
		)
	})
}

func TestHyperLogLog_SparseMaxBytes(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"CONFIG GET hll-sparse-max-bytes", `["hll-sparse-max-bytes" "3000"]`,
			"CONFIG SET hll-sparse-max-bytes 19", "OK",
			"PFADD a x", "1",
			"PFDEBUG ENCODING a", "dense",
			"CONFIG SET hll-sparse-max-bytes 1kb", "OK",
			"CONFIG GET hll-sparse-max-bytes", `["hll-sparse-max-bytes" "1024"]`,
			"PFADD b x", "1",
			"PFDEBUG ENCODING b", "sparse",
		)
		for i := 0; c.Do("PFDEBUG ENCODING b") == "sparse"; i++ {
			require.Less(t, i, 1000)
			c.Do(fmt.Sprintf("PFADD b e%d", i))
		}
	})
}

func TestHyperLogLog_ConfigSetInRestartedTransaction(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"MULTI", "OK",
			"PFADD a x", "QUEUED",
			"CONFIG SET hll-sparse-max-bytes 0", "QUEUED",
			"EVAL return(redis.call('set',ARGV[1],'v')) 1 a undeclared", "QUEUED",
			"EXEC", "[1 OK OK]",
			"PFDEBUG ENCODING a", "sparse",
		)
	})
}

func TestPFDebug_SIMD(t *testing.T) {
	for server, want := range map[string]string{"7.4": "ERR The specified key does not exist", "8.0": "enabled",
		"valkey-8.1": "enabled"} {
		c := commandtest.NewClient(t, commandtest.NewEnvOf(t, server))
		c.Want("PFDEBUG SIMD ON", want)
	}
	commandtest.InBubbleOf(t, "8.0", func(c *commandtest.BubbleClient) {
		c.Want("PFDEBUG SIMD OFF", "disabled", "PFDEBUG SIMD x", "ERR Argument must be ON or OFF")
	})
}
