package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestHashes_Set(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSET h a 1 b 2", "2",
			"HSET h a 3 c 4", "1",
			"HSET h a", "ERR wrong number of arguments for 'hset' command",
			"HSET h a 1 b", "ERR wrong number of arguments for 'hset' command",
			"HMSET h d 5 a 6", "OK",
			"HMSET h d", "ERR wrong number of arguments for 'hmset' command",
			"HMSET h d 5 a", "ERR wrong number of arguments for 'hmset' command",
			"HSETNX h a 7", "0",
			"HSETNX h e 7", "1",
			"HSETNX new a 1", "1",
			"HGETALL h", `["a" "6" "b" "2" "c" "4" "d" "5" "e" "7"]`,
			"SET s x", "OK",
			"HSET s a 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HMSET s a 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HMSET s a 1 b", "ERR wrong number of arguments for 'hmset' command",
			"HSETNX s a 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestHashes_Read(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSET h a 1 b 22 c ''", "3",
			"HMGET h a missing b c", `["1" nil "22" ""]`,
			"HMGET missing a b", "[nil nil]",
			"HSTRLEN h b", "2",
			"HSTRLEN h missing", "0",
			"HSTRLEN missing a", "0",
			"HLEN h", "3",
			"HLEN missing", "0",
			"HKEYS h", `["a" "b" "c"]`,
			"HVALS h", `["1" "22" ""]`,
			"HKEYS missing", "[]",
			"HVALS missing", "[]",
			"HGETALL missing", "[]",
			"SET s x", "OK",
			"HMGET s a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HSTRLEN s a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HLEN s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HKEYS s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HVALS s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HGETALL s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HGET s a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HEXISTS s a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"HDEL s a", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
		c.Do("HELLO 3")
		c.Want(
			"HGETALL h", `["a" "1" "b" "22" "c" ""]`,
			"HKEYS h", `["a" "b" "c"]`,
			"HMGET h a missing", `["1" nil]`,
		)
	})
}

func TestHashes_Delete(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSET h a 1 b 2 c 3", "3",
			"HDEL h a missing a", "1",
			"HDEL missing a", "0",
			"HDEL h b c", "2",
			"EXISTS h", "0",
		)
	})
}

func TestHashes_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.WantEvents("HSET h a 1", "hset h")
		c.WantEvents("HSET h a 1", "hset h")
		c.WantEvents("HMSET h a 1 b 2", "hset h")
		c.WantEvents("HSETNX h a 1")
		c.WantEvents("HSETNX h c 1", "hset h")
		c.WantEvents("HINCRBY h a 0", "hincrby h")
		c.WantEvents("HINCRBYFLOAT h a 0", "hincrbyfloat h")
		c.WantEvents("HINCRBY h a x")
		c.WantEvents("HDEL h missing")
		c.WantEvents("HDEL h a b", "hdel h")
		c.WantEvents("HDEL h c", "hdel h", "del h")
		c.WantEvents("HINCRBY h a 1", "hincrby h")
		c.WantEvents("HGETALL h")
	})
}
