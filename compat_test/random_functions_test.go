package compat

// databaseTemplates select databases, copy between them and empty them.
var databaseTemplates = []template{
	"SELECT (0|0|1|{int})",
	"SELECT 0",
	"SWAPDB (0|1) (0|1|{int})",
	"MOVE {key} (0|1)",
	"COPY {key} {key} DB (0|1) [REPLACE]",
	"SET {key} {value} [EX {ttl}]",
	"RPUSH {key} <{value}>",
	"ZADD {key} <{score} {member}>",
	"XADD {key} {id} {field} {value}",
	"WATCH <{key}>",
	"DBSIZE",
	"FLUSHDB [SYNC|ASYNC]",
	"FLUSHALL [SYNC|ASYNC|{value}]",
}

// functionTemplates load libraries and scripts, and call them.
var functionTemplates = []template{
	"FUNCTION LOAD [REPLACE] {library}",
	"FUNCTION LOAD REPLACE {library}",
	"FUNCTION DELETE {libraryname}",
	"FUNCTION LIST LIBRARYNAME {libraryname} [WITHCODE]",
	"FUNCTION FLUSH [SYNC|ASYNC]",
	"FCALL {function} 1 {key} {value} {int}",
	"FCALL {function} 2 {key} {key} {value} {int}",
	"FCALL_RO {function} 1 {key} {value} {int}",
	"SCRIPT LOAD {script}",
	"SCRIPT FLUSH [SYNC|ASYNC]",
	"SCRIPT EXISTS {sha} {sha}",
	"EVALSHA {sha} 1 {key} {value} {int}",
	"EVALSHA_RO {sha} 1 {key} {value} {int}",
	"TYPE {key}",
}

// libraries have one function each, because Redis lists several in the order of a hash table. Two have the same name,
// two the same function.
var libraries = []string{
	"#!lua name=shelf\nredis.register_function('put', function(keys, args) return redis.call('SET', keys[1], args[1]) " +
		"end)",
	"#!lua name=shelf\nredis.register_function('put', function(keys, args) return redis.call('RPUSH', keys[1], args[1], " +
		"args[2]) end)",
	"#!lua name=desk\nredis.register_function{function_name = 'look', callback = function(keys) return " +
		"redis.call('TYPE', keys[1]) end, flags = {'no-writes'}}",
	"#!lua name=desk\nlocal n = 0 redis.register_function('count', function(keys, args) n = n + args[2] return n end)",
	"#!lua name=door\nredis.register_function('put', function(keys, args) return redis.pcall('HSET', keys[1], args[1], " +
		"args[2]) end)",
	"#!lua name=door\nredis.register_function('fail', function(keys, args) redis.call('DEL', keys[1]) error(args[1]) end)",
	"#!lua name=door\nredis.call('SET', 'k1', 'x')",
	"#!lua name=empty\nlocal x = 1",
	"#!lua\nreturn 1",
	"return 1",
	"#!lua name=door\nredis.register_function('put' function",
}
