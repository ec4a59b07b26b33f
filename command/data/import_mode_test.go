package data_test

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// While keys are imported, nothing goes by itself; when that ends, all that is due goes.
func TestImportMode(t *testing.T) {
	commandtest.InBubbleOf(t, "valkey-9.1", func(c *commandtest.BubbleClient) {
		c.Want(
			"CONFIG SET import-mode yes", "OK",
			"SET key 1 PX 10", "OK",
			"SET past 1 PXAT 1", "OK",
			"SET earliest 1", "OK",
			"EXPIREAT earliest -1000", "1",
			"HSETEX hash EXAT 0 FIELDS 1 a 1", "1",
			"HSETEX hash PX 10 FIELDS 1 b 2", "1",
		)
		time.Sleep(time.Minute)
		c.Want(
			"DBSIZE", "4",
			"HLEN hash", "2",
			"GET key", "nil",
			"PTTL key", "-2",
			"CLIENT IMPORT-SOURCE ON", "OK",
			"GET key", `"1"`,
			"PTTL key", "0",
			"TTL past", "0",
			"HMGET hash a b", `["1" "2"]`,
			"DBSIZE", "4",
		)
		require.Equal(t, "OK", c.Do("CONFIG SET import-mode no"))
		time.Sleep(time.Millisecond)
		require.Equal(t, "0", c.Do("DBSIZE"))
		require.Equal(t, "nil", c.Do("GET key"))
	})
}
