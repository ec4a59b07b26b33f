package workload

// groups is a cycle of the common commands of each group. A cycle leaves its keys as large as they were, since a run
// would become slower with keys that grow. The word after > is what the reply must begin with; see lines.
var groups = []struct{ name, cycle string }{
	{"strings", `
		>+OK SET K value
		>$5 GET K
		>:8 APPEND K abc
		>:8 STRLEN K
		>$3 GETRANGE K 5 7
		>:8 SETRANGE K 1 z
		>+OK MSET K 1 {K}:b 2
		>*2 MGET K {K}:b
		>:2 INCR K
		>:12 INCRBY K 10
		>$1 GETDEL {K}:b`},
	{"keys", `
		>+OK SET K value
		>:1 EXISTS K
		>:1 EXPIRE K 100
		>: TTL K
		>:1 PERSIST K
		>+string TYPE K
		>+OK RENAME K {K}:b
		>:1 COPY {K}:b K
		>:2 DEL K {K}:b`},
	{"hashes", `
		>: HSET K a 1 b 2 c 3
		>$1 HGET K a
		>*2 HMGET K a b
		>: HINCRBY K n 1
		>:1 HEXISTS K b
		>:4 HLEN K
		>*8 HGETALL K
		>*4 HKEYS K
		>:1 HDEL K c`},
	{"lists", `
		>: RPUSH K a b c
		>: LPUSH K d
		>:4 LLEN K
		>$1 LINDEX K 1
		>*4 LRANGE K 0 -1
		>+OK LSET K 0 e
		>$1 LPOP K
		>$1 RPOP K
		>$1 LMOVE K K LEFT RIGHT
		>:1 LREM K 0 a
		>:1 DEL K`},
	{"sets", `
		>: SADD K a b c d
		>:1 SISMEMBER K a
		>*2 SMISMEMBER K a z
		>:4 SCARD K
		>*4 SMEMBERS K
		>$1 SRANDMEMBER K
		>:2 SADD {K}:b a b
		>*2 SINTER K {K}:b
		>*4 SUNION K {K}:b
		>:1 SREM K d
		>:1 DEL {K}:b`},
	{"zsets", `
		>: ZADD K 1 a 2 b 3 c 4 d
		>$1 ZSCORE K a
		>:1 ZRANK K b
		>*4 ZRANGE K 0 -1
		>*2 ZRANGEBYSCORE K 2 3
		>: ZCOUNT K 1 3
		>$1 ZINCRBY K 1 a
		>:4 ZCARD K
		>*2 ZPOPMIN K
		>:1 ZREM K d`},
	{"streams", `
		>$ XADD K MAXLEN 100 * field value
		>: XLEN K
		>* XRANGE K - + COUNT 10
		>* XREVRANGE K + - COUNT 1
		>* XREAD COUNT 1 STREAMS K 0
		>: XTRIM K MAXLEN 100`},
	{"bitmaps", `
		>: SETBIT K 100 1
		>:1 GETBIT K 100
		>: BITCOUNT K
		>: BITPOS K 1
		>: BITOP NOT {K}:b K`},
	{"pubsub", `
		>:0 PUBLISH K message
		>*0 PUBSUB CHANNELS
		>*2 PUBSUB NUMSUB K
		>:0 PUBSUB NUMPAT`},
}
