package command

import (
	"slices"
	"strings"
)

// accessFacts is what commands do with their keys, in the words of Redis' key specifications: what all specifications of a command
// say, divided by commas, and the commands. What is not here is in the row (Specs), or derived from the flags, see derivedAccess.
var accessFacts = byName(map[string]string{
	"OW insert":            "msetnx setnx",
	"OW update":            "mset psetex restore restore-asking setex",
	"OW update, RO access": "geosearchstore zdiffstore zinterstore zrangestore zunionstore",
	"RM delete":            "del unlink",
	"RO": "exists hexists hlen hstrlen llen memory|usage object|encoding object|freq object|idletime " +
		"object|refcount scard sismember strlen touch type watch xlen zcard",
	"RO access": "bitcount bitfield_ro bitpos dump expiretime geodist geohash geopos georadius_ro georadiusbymember_ro " +
		"geosearch get getbit getrange hget hgetall hkeys hmget hrandfield hscan hvals lindex lpos lrange " +
		"mget pexpiretime pttl sdiff sinter sintercard smembers smismember srandmember sscan substr sunion " +
		"ttl xinfo|consumers xinfo|groups xinfo|stream xpending xrange xrevrange zcount zdiff zinter " +
		"zintercard zlexcount zmscore zrandmember zrange zrangebylex zrangebyscore zrank zrevrange " +
		"zrevrangebylex zrevrangebyscore zrevrank zscan zscore zunion",
	"RO access, OW update":        "copy",
	"RW access":                   "pfdebug",
	"RW access delete":            "blmpop blpop brpop bzmpop bzpopmax bzpopmin getdel lmpop lpop rpop spop zmpop zpopmax zpopmin",
	"RW access delete, OW insert": "renamenx",
	"RW access delete, OW update": "rename",
	"RW access delete, RW insert": "blmove brpoplpush lmove rpoplpush smove",
	"RW access update":            "decr decrby getset hincrby hincrbyfloat incr incrby incrbyfloat move setbit zincrby",
	"RW delete": "hdel lrem ltrim srem xautoclaim xdel xgroup|delconsumer xgroup|destroy xtrim zrem zremrangebylex " +
		"zremrangebyrank zremrangebyscore",
	"RW insert": "append hsetnx linsert lpush lpushx pfadd rpush rpushx sadd xgroup|create xgroup|createconsumer",
	"RW update": "expire expireat geoadd hmset hset lset persist pexpire pexpireat setrange xack xclaim xgroup|setid " +
		"xsetid zadd",
})

// byName turns a table of facts and the names they hold for round.
func byName(table map[string]string) map[string]string {
	facts := make(map[string]string)
	for fact, names := range table {
		for _, name := range strings.Fields(names) {
			facts[name] = fact
		}
	}
	return facts
}

// access tells what becomes of the key at a position, for a command that Finds its keys: RO, RW, OW or RM, and what for.
func (c *Command) access(pos int) []string {
	specs := c.keySpecs()
	access := specs[len(specs)-1].access()
	if pos == c.Keys.First {
		access = specs[0].access()
	}
	return slices.DeleteFunc(access, func(word string) bool { return word == "incomplete" })
}

// accessSpecs is what is known of the command, by specification; nil if nothing is.
func (c *Command) accessSpecs() []string {
	fact, ok := accessFacts[c.FullName()]
	if !ok {
		return nil
	}
	return strings.Split(fact, ", ")
}

// variableAccess is for commands whose options decide; nil for others.
func (c *Command) variableAccess(args [][]byte) []string {
	switch c.FullName() {
	case "set":
		for i := 3; i < len(args); i++ {
			if equalFold(args[i], "get") {
				return []string{"RW", "access", "update"}
			}
		}
		return []string{"OW", "update"}
	case "bitfield":
		if onlyReads(args) {
			return []string{"RO", "access"}
		}
		return []string{"RW", "access", "update"}
	}
	return nil
}

// onlyReads reports whether all of BITFIELD's operations are GET. One that makes no sense may be anything.
func onlyReads(args [][]byte) bool {
	for i := 2; i < len(args); i++ {
		switch more := len(args) - 1 - i; {
		case equalFold(args[i], "get") && more >= 2:
			i += 2
		case equalFold(args[i], "overflow") && more >= 1:
			i++
		default:
			return false
		}
	}
	return true
}
