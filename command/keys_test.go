package command

import "testing"

func TestKeys_Del_Exists_Type(t *testing.T) {
	inBubble(t, func(c *bubbleClient) {
		c.want(
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
	inBubble(t, func(c *bubbleClient) {
		c.wantEvents("MSET a 1 b 2", "set a", "set b")
		c.wantEvents("DEL a b missing", "del a", "del b")
		c.wantEvents("SET a 1", "set a")
		c.wantEvents("UNLINK a", "del a")
		c.wantEvents("SET a 1", "set a")
		c.wantEvents("EXPIRE a 100", "expire a")
		c.wantEvents("EXPIRE a 100 NX")
		c.wantEvents("PEXPIREAT a 4000000000000", "expire a")
		c.wantEvents("PERSIST a", "persist a")
		c.wantEvents("PERSIST a")
		c.wantEvents("EXPIRE a -1", "del a")
		c.wantEvents("MSET a 1 b 2", "set a", "set b")
		c.wantEvents("RENAME a a")
		c.wantEvents("RENAME a b", "rename_from a", "rename_to b")
		c.wantEvents("RENAMENX b b")
		c.wantEvents("RENAMENX b c", "rename_from b", "rename_to c")
		c.wantEvents("COPY c d", "copy_to d")
		c.wantEvents("COPY c d")
		c.wantEvents("COPY c d REPLACE", "copy_to d")
		c.wantEvents("COPY c d DB 1", "1: copy_to d")
		c.wantEvents("MOVE c 1", "move_from c", "1: move_to c")
		c.wantEvents("MOVE c 1")
		c.wantEvents("TOUCH d")
		c.wantEvents("FLUSHDB")
		c.wantEvents("SWAPDB 0 1")
	})
}
