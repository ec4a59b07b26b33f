package command

import (
	"strings"

	"github.com/minilockd/minilockd/internal/resp"
)

// tips are what Redis tells proxies before a cluster about commands: how their replies may differ, who is to be asked and how the
// answers are put together (Redis documentation: command tips).
var tips = byName(map[string]string{
	"nondeterministic_output": "client|info client|list cluster|bumpepoch cluster|count-failure-reports cluster|getkeysinslot cluster|info " +
		"cluster|links cluster|nodes cluster|replicas cluster|shards cluster|slaves cluster|slots dump hrandfield hscan " +
		"lastsave migrate object|encoding object|freq object|idletime object|refcount pttl spop srandmember sscan time " +
		"ttl xadd xautoclaim xclaim xinfo|consumers xpending xtrim zrandmember zscan",
	"nondeterministic_output request_policy:all_nodes response_policy:special":  "latency|doctor latency|graph latency|histogram latency|history latency|latest",
	"nondeterministic_output request_policy:all_shards response_policy:special": "function|stats info memory|doctor memory|malloc-stats memory|stats",
	"nondeterministic_output request_policy:special":                            "scan",
	"nondeterministic_output_order": "command command|docs command|info command|list function|list hgetall hkeys hvals module|list sdiff sinter " +
		"smembers sunion",
	"request_policy:all_nodes nondeterministic_output":                         "slowlog|get",
	"request_policy:all_nodes response_policy:agg_sum nondeterministic_output": "slowlog|len",
	"request_policy:all_nodes response_policy:all_succeeded":                   "config|set latency|reset script|flush script|load slowlog|reset",
	"request_policy:all_shards nondeterministic_output":                        "randomkey",
	"request_policy:all_shards nondeterministic_output_order":                  "keys",
	"request_policy:all_shards response_policy:agg_logical_and":                "script|exists",
	"request_policy:all_shards response_policy:agg_min":                        "wait",
	"request_policy:all_shards response_policy:agg_sum":                        "dbsize",
	"request_policy:all_shards response_policy:all_succeeded":                  "flushall flushdb function|delete function|flush function|load function|restore memory|purge ping",
	"request_policy:all_shards response_policy:one_succeeded":                  "function|kill script|kill",
	"request_policy:multi_shard":                                               "mget",
	"request_policy:multi_shard response_policy:agg_min":                       "msetnx",
	"request_policy:multi_shard response_policy:agg_sum":                       "del exists touch unlink",
	"request_policy:multi_shard response_policy:all_succeeded":                 "mset",
})

func (c *Command) tips() resp.Value {
	return resp.Set(resp.Strings(strings.Fields(tips[c.FullName()])).Elems()...)
}
