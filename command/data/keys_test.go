package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestKeys_Del_Exists_Type(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"MSET a 1 b 2", "OK",
			"HSET h f v", "1",
			"EXISTS a b a missing", "3",
			"TOUCH a b a missing", "3",
			"TYPE a", "string",
			"TYPE h", "hash",
			"TYPE missing", "none",
			"DEL a a missing", "1",
			"UNLINK b h missing", "2",
			"EXISTS a b h", "0",
			"DEL missing", "0",
		)
	})
}

func TestKeys_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.WantEvents("MSET a 1 b 2", "set a", "set b")
		c.WantEvents("DEL a b missing", "del a", "del b")
		c.WantEvents("SET a 1", "set a")
		c.WantEvents("UNLINK a", "del a")
		c.WantEvents("SET a 1", "set a")
		c.WantEvents("EXPIRE a 100", "expire a")
		c.WantEvents("EXPIRE a 100 NX")
		c.WantEvents("PEXPIREAT a 4000000000000", "expire a")
		c.WantEvents("PERSIST a", "persist a")
		c.WantEvents("PERSIST a")
		c.WantEvents("EXPIRE a -1", "del a")
		c.WantEvents("MSET a 1 b 2", "set a", "set b")
		c.WantEvents("RENAME a a")
		c.WantEvents("RENAME a b", "rename_from a", "rename_to b")
		c.WantEvents("RENAMENX b b")
		c.WantEvents("RENAMENX b c", "rename_from b", "rename_to c")
		c.WantEvents("COPY c d", "copy_to d")
		c.WantEvents("COPY c d")
		c.WantEvents("COPY c d REPLACE", "copy_to d")
		c.WantEvents("COPY c d DB 1", "1: copy_to d")
		c.WantEvents("MOVE c 1", "move_from c", "1: move_to c")
		c.WantEvents("MOVE c 1")
		c.WantEvents("TOUCH d")
		c.WantEvents("FLUSHDB")
		c.WantEvents("SWAPDB 0 1")
	})
}
