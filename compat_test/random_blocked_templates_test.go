package compat

// blockingTemplates are commands that may block. None has a timeout that could end during a test.
var blockingTemplates = []template{
	"BLPOP <{key}> {timeout}",
	"BRPOP <{key}> {timeout}",
	"BLMOVE {key} {key} (LEFT|RIGHT) (LEFT|RIGHT) {timeout}",
	"BRPOPLPUSH {key} {key} {timeout}",
	"BLMPOP {timeout} 1 {key} (LEFT|RIGHT) [COUNT {count}]",
	"BLMPOP {timeout} {numkeys} {key} {key} (LEFT|RIGHT) [COUNT {count}]",
	"BZPOPMIN <{key}> {timeout}",
	"BZPOPMAX <{key}> {timeout}",
	"BZMPOP {timeout} 1 {key} (MIN|MAX) [COUNT {count}]",
	"BZMPOP {timeout} {numkeys} {key} {key} (MIN|MAX) [COUNT {count}]",
	"XREAD [COUNT {count}] BLOCK {block} STREAMS {key} ($|{id})",
	"XREAD BLOCK {block} [COUNT {count}] STREAMS {key} {key} ($|{id}) ($|{id})",
	"XREADGROUP GROUP {group} {consumer} [COUNT {count}] BLOCK {block} [NOACK] STREAMS {key} >",
	"XREADGROUP GROUP {group} {consumer} BLOCK {block} [COUNT {count}] [NOACK] STREAMS {key} {key} > (>|>|{id})",
}

// unblockTemplates are commands that add what blocked clients wait for, or remove it.
var unblockTemplates = []template{
	"LPUSH {key} <{value}>",
	"RPUSH {key} <{value}>",
	"RPUSH {key} {value}",
	"LMOVE {key} {key} (LEFT|RIGHT) (LEFT|RIGHT)",
	"RPOPLPUSH {key} {key}",
	"LPOP {key} [5]",
	"ZADD {key} <{score} {member}>",
	"ZADD {key} [CH] INCR {score} {member}",
	"ZINCRBY {key} {score} {member}",
	"ZUNIONSTORE {key} 2 {key} {key}",
	"ZDIFFSTORE {key} 2 {key} {key}",
	"ZRANGESTORE {key} {key} 0 -1",
	"GEOADD {key} {lon} {lat} {place}",
	"GEOSEARCHSTORE {key} {key} FROMLONLAT 0 0 BYRADIUS 20000 km",
	"XADD {key} {id} <{field} {value}>",
	"XADD {key} [NOMKSTREAM] [MAXLEN {count}] {id} {field} {value}",
	"XGROUP CREATE {key} {group} (0|$) MKSTREAM",
	"XGROUP SETID {key} {group} (0|$)",
	"XGROUP DESTROY {key} {group}",
	"XGROUP DELCONSUMER {key} {group} {consumer}",
	"XDEL {key} <{id}>",
	"XSETID {key} {id}",
	"RENAME {key} {key}",
	"RENAMENX {key} {key}",
	"COPY {key} {key} [DB 0|DB 1] [REPLACE]",
	"MOVE {key} (0|1)",
	"SORT {key} BY nosort STORE {key}",
	"SADD {key} <{member}>",
	"SET {key} {value}",
	"DEL <{key}>",
	"DEL <{key}>",
	"UNLINK <{key}>",
	"PEXPIREAT {key} (0|1)",
	"GETDEL {key}",
	"FLUSHDB",
	"FLUSHALL [SYNC|ASYNC]",
	"SELECT (0|0|0|1)",
	"CLIENT UNBLOCK {client} [TIMEOUT|ERROR]",
	"EVAL {unblockingscript} 2 {key} {key} {value} {int}",
	"EVAL {blockingscript} 1 {key}",
	closeConnection,
}

// unblockScripts add what blocked clients wait for, or remove it.
var unblockScripts = []string{
	"redis.call('RPUSH', KEYS[1], ARGV[1], ARGV[2]) return redis.call('RPUSH', KEYS[2], ARGV[1])",
	"redis.call('LPUSH', KEYS[1], ARGV[1]) return redis.call('LPOP', KEYS[1])",
	"redis.call('LPUSH', KEYS[1], ARGV[1]) redis.call('DEL', KEYS[1]) return redis.call('ZADD', KEYS[1], ARGV[2], " +
		"ARGV[1])",
	"redis.call('DEL', KEYS[1]) redis.call('ZADD', KEYS[1], ARGV[2], 'a') return redis.call('RENAME', KEYS[1], KEYS[2])",
	"redis.call('DEL', KEYS[1], KEYS[2]) redis.call('RPUSH', 'k3', ARGV[1]) return redis.pcall('LMOVE', 'k3', KEYS[1], " +
		"'LEFT', 'LEFT')",
	"redis.call('RPUSH', KEYS[1], 1, 2, 3) error('after all')",
	"redis.call('XADD', KEYS[1], '*', 'f', 'v') return redis.call('DEL', KEYS[1])",
	"redis.call('SELECT', 1) return redis.call('RPUSH', KEYS[1], ARGV[1])",
}

// blockingScripts call blocking commands, which do not block in a script.
var blockingScripts = []string{
	"return redis.pcall('BLPOP', KEYS[1], 0)",
	"return redis.pcall('BLMPOP', 0, 1, KEYS[1], 'LEFT')",
	"return redis.pcall('BZMPOP', 0, 1, KEYS[1], 'MIN', 'COUNT', 2)",
	"return redis.pcall('XREAD', 'BLOCK', 0, 'STREAMS', KEYS[1], '$')",
	"return redis.pcall('XREADGROUP', 'GROUP', 'g', 'alice', 'BLOCK', 0, 'STREAMS', KEYS[1], '>')",
}
