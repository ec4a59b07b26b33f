package command

import "strings"

// accessFacts is what commands do with their keys, in the words of Redis' key specifications: what all specifications of a command
// say, divided by commas, and the commands. What is not here is derived from the flags, see Command.derivedAccess.
var accessFacts = byName(map[string]string{
	"OW insert":            "msetnx setnx",
	"OW update":            "mset psetex restore setex",
	"OW update, RO access": "bitop geosearchstore sdiffstore sunionstore zdiffstore zinterstore zrangestore zunionstore",
	"RM delete":            "del unlink",
	"RO": "exists hexists hlen hstrlen llen memory|usage object|encoding object|freq object|idletime object|refcount " +
		"scard sismember strlen touch type watch xlen zcard",
	"RO access": "bitcount bitfield_ro bitpos dump eval_ro evalsha_ro expiretime fcall_ro geodist geohash geopos georadius_ro " +
		"georadiusbymember_ro geosearch get getbit getrange hget hgetall hkeys hmget hrandfield hscan hvals lcs lindex " +
		"lpos lrange mget pexpiretime pttl sdiff sinter sintercard smembers smismember srandmember sscan substr sunion " +
		"ttl xinfo|consumers xinfo|groups xinfo|stream xpending xrange xread xreadgroup xrevrange zcount zdiff zinter " +
		"zintercard zlexcount zmscore zrandmember zrange zrangebylex zrangebyscore zrank zrevrange zrevrangebylex " +
		"zrevrangebyscore zrevrank zscan zscore zunion",
	"RO access, OW update":                          "copy",
	"RO access, OW update, OW update":               "georadius georadiusbymember",
	"RO access, RO access":                          "sort_ro",
	"RO access, RO access, OW update":               "sort",
	"RW access":                                     "pfcount pfdebug",
	"RW access delete":                              "blmpop blpop brpop bzmpop bzpopmax bzpopmin getdel lmpop lpop rpop spop zmpop zpopmax zpopmin",
	"RW access delete, OW insert":                   "renamenx",
	"RW access delete, OW update":                   "rename",
	"RW access delete, RW access delete incomplete": "migrate",
	"RW access delete, RW insert":                   "blmove brpoplpush lmove rpoplpush smove",
	"RW access insert, RO access":                   "pfmerge",
	"RW access update":                              "decr decrby eval evalsha fcall getex getset hincrby hincrbyfloat incr incrby incrbyfloat move setbit zincrby",
	"RW access update variable_flags":               "bitfield set",
	"RW delete": "hdel lrem ltrim srem xautoclaim xdel xgroup|delconsumer xgroup|destroy xtrim zrem zremrangebylex " +
		"zremrangebyrank zremrangebyscore",
	"RW insert": "append hsetnx linsert lpush lpushx pfadd rpush rpushx sadd xgroup|create xgroup|createconsumer",
	"RW update": "expire expireat geoadd hmset hset lset persist pexpire pexpireat setrange xack xadd xclaim xgroup|setid xsetid " +
		"zadd",
	"RW update, RO access": "sinterstore",
	"not_key":              "spublish ssubscribe sunsubscribe",
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

// access tells what a call does with the key at a position: RO, RW, OW or RM, and what for.
func (c *Command) access(args [][]byte, pos int) []string {
	if words := c.variableAccess(args); words != nil {
		return words
	}
	specs := c.accessSpecs()
	switch {
	case specs == nil:
		return c.derivedAccess(pos)
	case pos == c.Keys.First || c.Keys.First == 0 && pos == c.Keys.Count+1:
		return specs[0]
	}
	return specs[len(specs)-1]
}

// accessSpecs is what is known of the command, by specification; nil if nothing is.
func (c *Command) accessSpecs() (specs [][]string) {
	fact, ok := accessFacts[c.FullName()]
	if !ok {
		return nil
	}
	for _, spec := range strings.Split(fact, ", ") {
		specs = append(specs, strings.Fields(spec))
	}
	return specs
}

// variableAccess is for commands whose options decide; nil for others.
func (c *Command) variableAccess(args [][]byte) []string {
	switch c.Name {
	case "set":
		for i := 3; i < len(args); i++ {
			if equalFold(args[i], "get") {
				return []string{"RW", "access", "update"}
			}
		}
		return []string{"OW", "update"}
	case "bitfield":
		for i := 2; i < len(args); i++ {
			if equalFold(args[i], "set") || equalFold(args[i], "incrby") {
				return []string{"RW", "access", "update"}
			}
		}
		return []string{"RO", "access"}
	}
	return nil
}
