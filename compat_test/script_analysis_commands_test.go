package compat

import (
	"fmt"
	"strconv"
	"strings"
)

// keyCommand describes how a command with one key uses its arguments and what it replies, so that keys can be prepared.
type keyCommand struct {
	kind string // the type of its key
	// args has a letter for each argument after the key: f a field or member, v a value, n a number, c a count or index, d
	// a duration, s a score, @ a cursor. A * at the end repeats all.
	args string
	// returns is what it returns: h the field's value, w the whole string, e an element, s a score, [ elements, F the
	// values of the fields, p fields and values, @ a cursor and elements. Then N: the value is a number; = : all scores
	// must be equal.
	returns string
}

var keyCommands = map[string]keyCommand{
	"GET": {"string", "", "w"}, "GETDEL": {"string", "", "w"}, "GETSET": {"string", "v", "w"}, "SET": {"string", "v", ""},
	"SETNX": {"string", "v", ""}, "SETEX": {"string", "dv", ""}, "PSETEX": {"string", "dv", ""}, "STRLEN": {"string", "",
		""},
	"INCR": {"string", "", "wN"}, "DECR": {"string", "", "wN"}, "INCRBY": {"string", "n", "wN"}, "DECRBY": {"string", "n",
		"wN"},
	"INCRBYFLOAT": {"string", "n", "wN"}, "GETRANGE": {"string", "cc", ""}, "SETRANGE": {"string", "cv", ""},
	"APPEND": {"string", "v", ""}, "GETBIT": {"string", "c", ""}, "SETBIT": {"string", "cc", ""}, "BITPOS": {"string",
		"ccc", ""},

	"HGET": {"hash", "f", "h"}, "HEXISTS": {"hash", "f", ""}, "HSTRLEN": {"hash", "f", ""}, "HDEL": {"hash", "f*", ""},
	"HMGET": {"hash", "f*", "F"}, "HSET": {"hash", "fv*", ""}, "HMSET": {"hash", "fv*", ""}, "HSETNX": {"hash", "fv", ""},
	"HINCRBY": {"hash", "fn", "hN"}, "HINCRBYFLOAT": {"hash", "fn", "hN"}, "HGETALL": {"hash", "", "p"},
	"HKEYS": {"hash", "", "["}, "HVALS": {"hash", "", "["}, "HLEN": {"hash", "", ""}, "HSCAN": {"hash", "@", "@"},
	"HRANDFIELD": {"hash", "c", "p"},

	"LINDEX": {"list", "c", "e"}, "LRANGE": {"list", "cc", "["}, "LPOP": {"list", "c", "e"}, "RPOP": {"list", "c", "e"},
	"LPUSH": {"list", "f*", ""}, "RPUSH": {"list", "f*", ""}, "LREM": {"list", "cf", ""}, "LSET": {"list", "cv", ""},
	"LTRIM": {"list", "cc", ""}, "LLEN": {"list", "", ""}, "LPOS": {"list", "f", ""}, "LINSERT": {"list", "vff", ""},

	"SADD": {"set", "f*", ""}, "SREM": {"set", "f*", ""}, "SISMEMBER": {"set", "f", ""}, "SMEMBERS": {"set", "", "["},
	"SCARD": {"set", "", ""}, "SPOP": {"set", "c", "e"}, "SSCAN": {"set", "@", "@"}, "SRANDMEMBER": {"set", "c", "e"},

	"ZADD": {"zset", "sf*", ""}, "ZSCORE": {"zset", "f", "s"}, "ZREM": {"zset", "f*", ""}, "ZRANK": {"zset", "f", ""},
	"ZREVRANK": {"zset", "f", ""}, "ZMSCORE": {"zset", "f*", ""}, "ZINCRBY": {"zset", "nf", "s"}, "ZCARD": {"zset", "",
		""},
	"ZRANGE": {"zset", "cc", "["}, "ZREVRANGE": {"zset", "cc", "["}, "ZRANGEBYSCORE": {"zset", "ss", "["},
	"ZREVRANGEBYSCORE": {"zset", "ss", "["}, "ZCOUNT": {"zset", "ss", ""}, "ZREMRANGEBYSCORE": {"zset", "ss", ""},
	"ZREMRANGEBYRANK": {"zset", "cc", ""}, "ZRANGEBYLEX": {"zset", "", "[="}, "ZLEXCOUNT": {"zset", "", "="},
	"ZPOPMIN": {"zset", "c", "["}, "ZPOPMAX": {"zset", "c", "["}, "ZSCAN": {"zset", "@", "@"}, "ZRANDMEMBER": {"zset", "c",
		"e"},

	"XADD": {"stream", "", ""}, "XLEN": {"stream", "", ""}, "XTRIM": {"stream", "", ""}, "XDEL": {"stream", "", ""},
	"XRANGE": {"stream", "", ""}, "XREVRANGE": {"stream", "", ""}, "XPENDING": {"stream", "", ""}, "XINFO": {"stream", "",
		""},

	"PEXPIRE": {"", "d", ""}, "EXPIRE": {"", "d", ""}, "PEXPIREAT": {"", "s", ""}, "PTTL": {"", "", ""}, "TTL": {"", "",
		""},
	"PERSIST": {"", "", ""}, "TYPE": {"", "", ""},
}

// keysOf describes a command whose arguments are all keys, except for their number.
type keysOf struct {
	kind     string
	numbered int // index of the number of keys; -1: there is none
}

var manyKeys = map[string]keysOf{
	"DEL": {"", -1}, "UNLINK": {"", -1}, "EXISTS": {"", -1}, "TOUCH": {"", -1}, "RENAME": {"", -1}, "RENAMENX": {"", -1},
	"COPY": {"", -1}, "MGET": {"string", -1}, "RPOPLPUSH": {"list", -1}, "SDIFF": {"set", -1}, "SINTER": {"set", -1},
	"SUNION": {"set", -1}, "SDIFFSTORE": {"set", -1}, "SINTERSTORE": {"set", -1}, "SUNIONSTORE": {"set", -1},
	"ZINTERSTORE": {"zset", 1}, "ZUNIONSTORE": {"zset", 1}, "ZDIFFSTORE": {"zset", 1}, "ZINTER": {"zset", 0},
	"ZUNION": {"zset", 0}, "ZDIFF": {"zset", 0}, "ZINTERCARD": {"zset", 0},
}

// use marks argument i, and reports whether it is a field or member.
func (c keyCommand) use(keys values, i int, arg values) (field bool) {
	pattern := strings.TrimSuffix(c.args, "*")
	if pattern != c.args {
		i %= len(pattern)
	}
	if i >= len(pattern) {
		return false
	}
	switch pattern[i] {
	case 'f':
		for _, key := range keys {
			key.fields = values(key.fields).with(arg...)
		}
		return true
	case 'n':
		arg.mark(asNumber)
	case 'c':
		arg.mark(asNumber | asCount)
	case 'd':
		arg.mark(asDuration)
	case 's':
		arg.mark(asScore)
	case '@':
		arg.mark(asCursor)
	}
	return false
}

// fieldPart returns the name of the part of a hash that a field is.
func fieldPart(field *node) string {
	if field.kind == literalNode {
		return field.text
	}
	return fmt.Sprintf("%p", field)
}

// reply returns what a command replies. Replies with several elements are put into the table.
func (c keyCommand) reply(table *node, keys values, args []values, fields values) values {
	var found values
	returns := strings.TrimRight(c.returns, "N=")
	for _, key := range keys {
		if strings.HasSuffix(c.returns, "=") {
			key.part(scorePart).markAs(asTie)
		}
		switch returns {
		case "":
		case "h":
			found = found.with(key.fieldValues(fields)...)
		case "w":
			found = found.with(key.part(wholePart))
		case "s":
			found = found.with(key.part(scorePart).markAs(asNumber | asScore))
		case "e":
			found = found.with(key.part(elementPart))
		default:
			fillTable(returns, table, key, args)
			found = found.with(table)
		}
	}
	if strings.HasSuffix(c.returns, "N") {
		found.mark(asNumber)
	}
	return found
}

func (n *node) markAs(u use) *node {
	n.use |= u
	return n
}

func (n *node) fieldValues(fields values) values {
	found := values{n.part(elementPart)}
	for _, f := range fields {
		found = found.with(n.part(fieldPart(f)))
	}
	return found
}

func fillTable(returns string, table, key *node, args []values) {
	element := key.part(elementPart)
	switch returns {
	case "[":
		table.rest = table.rest.with(element)
		if n := len(args); n > 0 && withScores(args) {
			table.put("2", values{key.part(scorePart)})
		}
	case "p":
		table.rest = table.rest.with(element)
		for _, f := range key.fields {
			table.rest = table.rest.with(key.part(fieldPart(f)))
		}
	case "F":
		for i, f := range args {
			table.put(strconv.Itoa(i+1), key.fieldValues(f))
		}
	case "@":
		if table.named["2"] == nil {
			table.put("2", values{{kind: tableNode}})
		}
		found := table.named["2"][0]
		found.rest = found.rest.with(element)
	}
}

func withScores(args []values) bool {
	for _, arg := range args {
		if text, _ := arg.text(); strings.EqualFold(text, "withscores") {
			return true
		}
	}
	return false
}
