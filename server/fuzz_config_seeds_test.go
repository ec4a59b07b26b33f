package server

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// parameterValues is a parameter that CONFIG SET may change, and values that it takes or just does not take.
type parameterValues struct {
	name, initial string
	values        []string
}

// anyExtremes are tried with every parameter.
var anyExtremes = []string{"0", "-1", "1", "", "x", "2", "100", largest, tiny, tooLarge,
	"9223372036854775807gb", "1k", "1mb", "1gb", "100%", "yes", "no", "KEA", "normal 1 1 1",
	"pubsub 1 0 0", "normal 0 1 1 pubsub 0 1 0", "\x00\r\n\xff"}

// hiddenParameters are not among what CONFIG GET * shows.
var hiddenParameters = [2]string{"key-load-delay", "rdb-key-save-delay"}

// settableParameters reads the parameters of a server, and for each of these its bounds or its choices.
func settableParameters(f *testing.F) (all []parameterValues) {
	c := connect(f, StartT(f))
	for name, value := range c.must(f, "CONFIG", "GET", "*", hiddenParameters[0], hiddenParameters[1]).Map() {
		initial := value.String()
		if _, err := c.do("CONFIG", "SET", name, initial); err != nil {
			continue
		}
		values := anyExtremes
		for _, beyond := range []string{tiny, tooLarge} {
			_, rejection := c.do("CONFIG", "SET", name, beyond)
			values = slices.Concat(values, bounds(rejection), choices(rejection))
		}
		all = append(all, parameterValues{name, initial, values})
		c.must(f, "CONFIG", "SET", name, initial)
	}
	slices.SortFunc(all, func(a, b parameterValues) int { return strings.Compare(a.name, b.name) })
	return all
}

// bounds are those that an error of CONFIG SET names, and the adjacent numbers.
func bounds(rejection error) (values []string) {
	_, text, found := strings.Cut(fmt.Sprint(rejection), "argument must be between ")
	var low, high int64
	if _, err := fmt.Sscanf(text, "%d and %d inclusive", &low, &high); !found || err != nil {
		return nil
	}
	for _, n := range []int64{low - 1, low, low + 1, high - 1, high, high + 1} {
		values = append(values, strconv.FormatInt(n, 10))
	}
	return values
}

// choices are the words that an error of CONFIG SET lists.
func choices(rejection error) []string {
	_, list, found := strings.Cut(fmt.Sprint(rejection), "argument(s) must be one of the following: ")
	if !found {
		return nil
	}
	return strings.Split(list, ", ")
}

// configSeed is an input of FuzzConnection_Config.
type configSeed struct {
	settings      [][2]string
	first, second string
	piece         uint8
	shape         fuzzShape
}

// encode writes the settings as FuzzConnection_Config reads them.
func (s configSeed) encode(all []parameterValues) (settings []byte) {
	for _, pair := range s.settings {
		name := slices.IndexFunc(all, func(p parameterValues) bool { return p.name == pair[0] })
		if name < 0 {
			panic("no parameter " + pair[0])
		}
		value := slices.Index(all[name].values, pair[1])
		if value < 0 {
			panic("no value " + pair[1] + " of " + pair[0])
		}
		settings = append(binary.BigEndian.AppendUint16(settings, uint16(name)), byte(value))
	}
	return settings
}

const (
	largest  = "9223372036854775807"
	tiny     = "-9223372036854775808"
	tooLarge = "18446744073709551615"
)

// configSeeds are what has ended a server once, or is close to that, and some commands of each kind.
var configSeeds = []configSeed{
	{
		settings: [][2]string{{"proto-max-bulk-len", largest}},
		first:    "*2\r\n$3\r\nGET\r\n$9223372036854775806\r\nxxx",
		second:   "PING\r\n",
		piece:    9,
	},
	{
		settings: [][2]string{{"proto-max-bulk-len", largest}},
		first:    "*2\r\n$3\r\nGET\r\n$9223372036854775807\r\nxxx",
		second:   "SETRANGE k 999999 x\r\n",
		piece:    200, shape: firstByPipe,
	},
	{
		first:  "PING\r\n*1\r\n$4\r\nPING\r\n*0\r\n*-1\r\nPING\r\n*1\r\n$-5\r\n",
		second: "*2147483648\r\n",
		piece:  3, shape: secondByPipe,
	},
	{
		first:  "POST / HTTP/1.1\r\nHost: x\r\n\r\nSET pwned 1\r\n",
		second: "GET \"a\\x41\r\n",
		piece:  1,
	},
	{
		settings: [][2]string{{"maxclients", "1"}},
		first:    "PING\r\nCLIENT LIST\r\n",
		second:   "QUIT\r\n",
		piece:    7, shape: secondByPipe,
	},
	{
		settings: [][2]string{{"timeout", "1"}, {"maxclients", "2"}},
		first:    "BLPOP k 0\r\n",
		second:   "PING\r\n",
		piece:    50, shape: timePasses,
	},
	{
		settings: [][2]string{{"client-output-buffer-limit", "normal 1 1 1"}},
		first:    "SETRANGE k 99999 x\r\nGET k\r\nGET k\r\n",
		second:   "GET k\r\n",
		piece:    200, shape: secondByPipe,
	},
	{
		settings: [][2]string{
			{"client-output-buffer-limit", "normal 0 1 1 pubsub 0 1 0"},
			{"notify-keyspace-events", "KEA"},
		},
		first:  "HELLO 3\r\nPSUBSCRIBE *\r\nSUBSCRIBE a\r\nPUBLISH a b\r\n",
		second: "SET a 1 PX 100\r\nDEL a\r\nHSET h f v\r\nPUBLISH a c\r\n",
		piece:  20, shape: timePasses,
	},
	{
		settings: [][2]string{{"tracking-table-max-keys", "1"}},
		first:    "HELLO 3\r\nCLIENT TRACKING ON\r\nMGET a b c\r\n",
		second:   "MSET a 1 b 2 c 3\r\n",
		piece:    99, shape: closesFirst,
	},
	{
		settings: [][2]string{{"tracking-table-max-keys", largest}},
		first:    "HELLO 3\r\nCLIENT TRACKING ON BCAST\r\n",
		second:   "FLUSHALL\r\nSWAPDB 0 1\r\n",
		piece:    99,
	},
	{
		settings: [][2]string{
			{"maxmemory", "1"},
			{"maxmemory-policy", "allkeys-lfu"},
			{"maxmemory-samples", "64"},
			{"lfu-decay-time", "0"},
		},
		first:  "SET a 1\r\nGET a\r\nOBJECT FREQ a\r\nRPUSH l a b c\r\n",
		second: "EVAL \"return redis.call('set','x','y')\" 0\r\n",
		piece:  30,
	},
	{
		settings: [][2]string{
			{"maxmemory-samples", "64"},
			{"lfu-log-factor", "2147483647"},
			{"lfu-decay-time", "2147483647"},
			{"maxmemory-policy", "volatile-ttl"},
		},
		first:  "SET a 1 EX 9\r\nGET a\r\n",
		second: "CONFIG SET maxmemory 1\r\nSET b 1\r\n",
		piece:  30, shape: timePasses,
	},
	{
		settings: [][2]string{
			{"slowlog-log-slower-than", "0"},
			{"slowlog-max-len", largest},
			{"latency-monitor-threshold", largest},
			{"latency-tracking", "yes"},
		},
		first:  "SLOWLOG GET -1\r\nLATENCY HISTOGRAM\r\nINFO all\r\nLATENCY DOCTOR\r\n",
		second: "SLOWLOG GET 999999\r\nSLOWLOG LEN\r\n",
		piece:  30, shape: secondByPipe,
	},
	{
		settings: [][2]string{{"acllog-max-len", "0"}, {"acl-pubsub-default", "allchannels"}},
		first:    "AUTH x y\r\nACL SETUSER u on >p ~a +get\r\nAUTH u p\r\nSET b 1\r\nGET a\r\n",
		second:   "ACL LOG\r\nACL LIST\r\n",
		piece:    99,
	},
	{
		settings: [][2]string{{"requirepass", "x"}, {"proto-max-bulk-len", "1048576"}},
		first:    "*11\r\n",
		second:   "AUTH x\r\nPING\r\n*1\r\n$1048577\r\n",
		piece:    30,
	},
	{
		settings: [][2]string{
			{"hash-max-listpack-entries", "0"},
			{"zset-max-listpack-value", "0"},
			{"set-max-intset-entries", largest},
			{"list-max-listpack-size", "0"},
			{"list-compress-depth", "2147483647"},
		},
		first: "HSET h a 1 b 2\r\nHSCAN h 0\r\nZADD z 1 a 2 b\r\nZRANGE z 0 -1\r\nSADD s 1 2 x\r\n" +
			"SPOP s\r\nRPUSH l a b c\r\nLINSERT l BEFORE b z\r\nLREM l 0 b\r\n",
		second: "DUMP h\r\nDUMP z\r\nDUMP l\r\nRANDOMKEY\r\nSORT s ALPHA\r\n",
		piece:  40,
	},
	{
		settings: [][2]string{
			{"list-max-listpack-size", "-2147483648"},
			{"hash-max-listpack-value", largest},
			{"hll-sparse-max-bytes", largest},
		},
		first: "RPUSH l a b c\r\nLSET l 1 z\r\nLTRIM l 1 1\r\nPFADD p a b c\r\nPFCOUNT p\r\n" +
			"HSET h a 1\r\n",
		second: "DUMP l\r\nDUMP p\r\nAPPEND p x\r\nPFCOUNT p\r\n",
		piece:  40,
	},
	{
		settings: [][2]string{{"stream-node-max-entries", "0"}, {"stream-node-max-bytes", "0"}},
		first: "XADD x 1-1 f v\r\nXADD x 2-1 f v\r\nXTRIM x MAXLEN ~ 1\r\nXGROUP CREATE x g 0\r\n" +
			"XREADGROUP GROUP g c STREAMS x >\r\nXINFO STREAM x FULL\r\n",
		second: "XREAD BLOCK 5 STREAMS x $\r\nXAUTOCLAIM x g c 0 -\r\nXDEL x 1-1\r\n",
		piece:  40, shape: timePasses,
	},
	{
		settings: [][2]string{{"stream-node-max-entries", largest}, {"stream-node-max-bytes", largest}},
		first:    "XADD x * f v\r\nXRANGE x - +\r\n",
		second:   "XREAD BLOCK 0 STREAMS x $\r\n",
		piece:    40, shape: closesFirst,
	},
	{
		settings: [][2]string{{"busy-reply-threshold", "0"}},
		first:    "EVAL \"return redis.call('incr','x')\" 0\r\nMULTI\r\nINCR x\r\nEXEC\r\n",
		second:   "SCRIPT KILL\r\nPING\r\n",
		piece:    12, shape: secondByPipe,
	},
	{
		settings: [][2]string{{"busy-reply-threshold", largest}},
		first: "FUNCTION LOAD \"#!lua name=l\\nredis.register_function('f',function(k,a)return k[1]end)\"\r\n" +
			"FCALL f 1 x\r\n",
		second: "FUNCTION DUMP\r\nFUNCTION FLUSH\r\n",
		piece:  50,
	},
	{
		settings: [][2]string{{"min-replicas-to-write", "2147483647"}, {"min-replicas-max-lag", "1"}},
		first:    "SET a 1\r\nWAIT 1 1\r\nEVAL \"return 1\" 0\r\n",
		second:   "MULTI\r\nSET a 1\r\nEXEC\r\n",
		piece:    40, shape: timePasses,
	},
	{
		settings: [][2]string{{"latency-tracking-info-percentiles", ""}, {"latency-tracking", "yes"}},
		first: "INFO latencystats\r\nCONFIG SET latency-tracking-info-percentiles 0\r\n" +
			"INFO everything\r\n",
		second: "CONFIG RESETSTAT\r\n",
		piece:  40,
	},
	{
		first:  "BLPOP k 1\r\nBLMOVE k l LEFT LEFT 0.01\r\nBZPOPMIN z 1\r\nWATCH a\r\n",
		second: "CLIENT PAUSE 100 WRITE\r\nRPUSH k a\r\nCLIENT UNPAUSE\r\n",
		piece:  15, shape: timePasses | firstByPipe,
	},
	{
		first:  "MONITOR\r\n",
		second: "SET a 1\r\nCLIENT KILL TYPE normal\r\nPING\r\n",
		piece:  15,
	},
	{
		first:  "CLIENT REPLY SKIP\r\nCLIENT PAUSE 999999\r\nPING\r\n",
		second: "CLIENT UNBLOCK 2\r\nGET a\r\n",
		piece:  255, shape: secondByPipe | timePasses,
	},
	{
		first:  "HEXPIRE h 1 FIELDS 1 a\r\nHSET h a 1\r\nHPEXPIRE h 5 FIELDS 1 a\r\nEXPIRE h 100\r\n",
		second: "SUBSCRIBE c\r\nSSUBSCRIBE d\r\nUNSUBSCRIBE\r\nRESET\r\n",
		piece:  11, shape: timePasses,
	},
	{
		first: "SETBIT b 99999 1\r\nBITCOUNT b\r\nBITFIELD b SET u63 #9 -1 GET i64 0\r\n" +
			"BITOP NOT d b\r\nLCS b d IDX\r\n",
		second: "GEOADD g 1 2 a 3 4 b\r\nGEOSEARCH g FROMMEMBER a BYBOX 9 9 mi ANY COUNT 2\r\n",
		piece:  30,
	},
	{
		first: "CONFIG GET *\r\nCOMMAND DOCS\r\nLOLWUT\r\nMEMORY STATS\r\nCLUSTER INFO\r\n" +
			"OBJECT HELP\r\n",
		second: "SCAN 0 MATCH * TYPE hash\r\nSELECT 15\r\nMOVE a 3\r\nCOPY a b DB 2\r\n",
		piece:  99, shape: secondByPipe,
	},
}
