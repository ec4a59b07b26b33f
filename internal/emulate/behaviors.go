package emulate

// Behavior is something that all servers can be asked for but that they answer differently. What a server does not know
// at all (a command, an argument) has its version in its own row.
type Behavior uint8

// The behaviors. Each has a line in the list, which says what it is.
const (
	BitCountOpenEnd Behavior = iota
	BitRangeBeforeKey
	BlockedCallsRunAgain
	BlockedCountAtEnd
	BlockingInScripts
	CapsEntriesRead
	ChecksCursors
	ClientsFiltered
	ClusterDatabases
	ConsumersTryAndGet
	CountHeedsDeleted
	CountKnowsUnread
	CountsNoPerm
	CountsPersisted
	CountsTrimmedAnew
	CutsBigNumbers
	DatabaseRules
	DecimalBounds
	DecimalScores
	DelayedRegistration
	DenialsNumbered
	DigestHasFieldExpiry
	EmbedsBesideKey
	EmbedsLonger
	EmptyLogKept
	EncodesSmallLists
	EncodesSmallSets
	EnginesAreModules
	EnginesByName
	ErrorCodesOverflow
	EvictsScripts
	FieldExpiryUnpacks
	FieldOptionsLikeSet
	FlushInBackground
	FlushesBeforeReply
	GeoNamesMember
	GetExChecksExpiry
	GoneWakesGroups
	HelloNamesProto
	HelloReadsAll
	HidesCommands
	HistoryIsNoChange
	IgnoresMoreModes
	KeepsLoadedScripts
	KeySlotAlone
	LargeCallsLogged
	LastEntryID
	LastEntryIDFails
	LastEntryIDSkips
	LimitFromEnd
	LimitsUnauthenticated
	LineEndsChecked
	ListIndexIsInt32
	MSetExNumKeysInRange
	MemoryBeforeUser
	MultiStays
	MurmurHash
	NamedFieldsExpire
	NamelessScriptErrors
	NamelessSlotErrors
	NamesCommandInTransaction
	NoSubcommandsInArray
	OSClock
	OneTimeForScript
	PastExpiryExpires
	PayloadFlagsAlways
	PayloadFlagsIgnored
	PushesAfterReplies
	QueryBufferShared
	QuotesMixed
	QuotesUnescaped
	RankHasMinimum
	ReadOnlyAlone
	RedisUnnamed
	ResetsFunctions
	ResetsImports
	ResetsNoEvict
	ReplicatesBatches
	ReplicatesFields
	ReplicatesGroupID
	ReplicatesHSetEx
	ReplicatesHSetOfNew
	ReplicatesMultiFirst
	ReplicatesNames
	ReplicatesPXAT
	RestoreTouches
	RightScriptErrors
	RulesKept
	ScanChecksType
	ScanNamesHScan
	ScanNamesZScan
	ScriptCallsHaveSizes
	ScriptCallsNameClient
	ScriptCallsNameNone
	ScriptSlotErrors
	ServerTable
	ShardsHaveIDs
	ShortDoubles
	ShortNoScript
	ShortPositions
	SizesByArguments
	SizesBySkipped
	SizesHSetEx
	SortsBySlot
	TellsOverwritten
	TimeoutOutOfRange
	TracksReadsOfScripts
	UnbalancedNamesCommand
	UnbalancedNamesPlus
	UnblockFails
	UnblockRejects
	UnservedCallsLogged
	UserNamed
	ValkeyInScriptErrors
	VectorsSwitched
	XsetidHeedsDeleted
	ZoneInHello

	behaviors // their number
)

// row says what a behavior is and which servers have it, in the notation of Server.Has.
type row struct {
	behavior Behavior
	since    string
	what     string // begins with the command, if there is one
}

var list = []row{
	{BitCountOpenEnd, "valkey", "BITCOUNT takes a start without an end"},
	{BitRangeBeforeKey, "7.2", "BITCOUNT and BITPOS check their range before they look the key up"},
	{BlockedCallsRunAgain, "7.2", "BLPOP and other blocking commands run again when one of their keys changes: they " +
		"use the first key that has an element, or all streams, or fail as a new call would"},
	{BlockedCountAtEnd, "7.2", "INFO commandstats counts a call that blocks when it ends, where others do when it blocks"},
	{BlockingInScripts, "7.2", "BLPOP and other blocking commands may be called by scripts, where they do not wait"},
	{CapsEntriesRead, "8.2", "XGROUP CREATE and SETID cut ENTRIESREAD to the number of entries that were ever added"},
	{ChecksCursors, "7.2", "SCAN and its like take a cursor with blanks before it, but none that is empty or negative"},
	{ClientsFiltered, "valkey-8.1", "CLIENT LIST has the filters of CLIENT KILL, and ID takes several IDs in both"},
	{ClusterDatabases, "valkey-9.0", "a node of a cluster has cluster-databases databases, and SELECT, MOVE and SWAPDB " +
		"use them, where others have an error"},
	{ConsumersTryAndGet, "7.2", "XINFO CONSUMERS tells the time since a consumer last got entries (inactive), beside " +
		"that since it last tried (idle); a try alone creates a consumer"},
	{CountHeedsDeleted, "7.4 valkey-8.1", "XINFO GROUPS takes all deleted entries into account for entries-read and " +
		"lag"},
	{CountKnowsUnread, "7.4", "XINFO GROUPS has the length of the stream as the lag of a group that has read nothing, " +
		"and 0 for an empty stream"},
	{CountsNoPerm, "valkey-9.1", "INFO errorstats counts calls of scripts that the user may not make as NOPERM"},
	{CountsPersisted, "valkey-9.0", "HPERSIST adds 1 to rdb_changes_since_last_save for each field, where others add " +
		"1 for all"},
	{CountsTrimmedAnew, "8.0 valkey-8.1", "XINFO GROUPS computes entries-read again behind trimmed entries"},
	{CutsBigNumbers, "valkey-9.1", "scripts: a big number that a script replies ends at a NUL byte"},
	{DatabaseRules, "valkey-9.1", "ACL rules can limit the databases"},
	{DecimalBounds, "8.0 valkey-9.1", "ZRANGEBYSCORE and other commands with bounds of scores take decimal numbers " +
		"only, without blanks before them, and so does SORT"},
	{DecimalScores, "valkey-9.1", "ZADD, GEOADD and other commands with scores, weights or coordinates take decimal " +
		"numbers only, and SORT no empty text"},
	{DelayedRegistration, "valkey", "FUNCTION LOAD checks the names of functions when the code has run"},
	{DenialsNumbered, "7.2", "ACL LOG has the number of an entry, and the times at which it was made and changed"},
	{DigestHasFieldExpiry, "7.4", "DEBUG DIGEST includes whether fields of hashes expire"},
	{EmbedsBesideKey, "8.2 valkey", "OBJECT ENCODING embstr depends on the length of the key, too"},
	{EmbedsLonger, "valkey-9.1", "OBJECT ENCODING embstr is for up to 113 bytes of key and value"},
	{EmptyLogKept, "7.2", "SLOWLOG keeps its entries while slowlog-max-len is 0, where others drop them"},
	{EncodesSmallLists, "7.2", "OBJECT ENCODING is listpack for a small list, and quicklist for others"},
	{EncodesSmallSets, "7.2", "OBJECT ENCODING is listpack for a small set whose members are not all integers"},
	{EnginesAreModules, "valkey-9.1", "MODULE LIST, HELLO and INFO show the engine of Lua scripts as a module, " +
		"and SCRIPT FLUSH, FUNCTION FLUSH and DEBUG RELOAD make it call CONFIG GET, which counts and is logged"},
	{EnginesByName, "valkey", "EVAL takes the name of the engine in a shebang line in any letter case"},
	{ErrorCodesOverflow, "valkey", "INFO errorstats counts errors that scripts make up as ERRORSTATS_OVERFLOW once " +
		"there are 128 codes"},
	{EvictsScripts, "7.4 valkey-8.0", "EVAL keeps the last 500 scripts that it has loaded, beside all of SCRIPT LOAD"},
	{FieldExpiryUnpacks, "valkey", "OBJECT ENCODING is hashtable for a hash with a field that expires"},
	{FieldOptionsLikeSet, "valkey", "HEXPIRE, HGETEX and HSETEX read their options up to FIELDS like EXPIRE and SET, " +
		"and the commands with FIELDS read all arguments before they look the hash up"},
	{FlushInBackground, "7.4", "FLUSHALL and FLUSHDB free keys in the background while the client waits"},
	{FlushesBeforeReply, "8.0", "FLUSHALL and FLUSHDB invalidate all keys before they reply, unless they are ASYNC"},
	{GeoNamesMember, "valkey-9.1", "GEOSEARCH FROMMEMBER and GEORADIUSBYMEMBER name a missing member in their error"},
	{GetExChecksExpiry, "valkey-9.1", "GETEX checks the number of its expiry before it looks the key up"},
	{GoneWakesGroups, "7.2", "XREADGROUP: a stream that is replaced wakes the clients of its key only if one of them " +
		"waits for a group of it, where before any client that waits for a stream was enough"},
	{HelloNamesProto, "7.2", "HELLO without a login says in its error where the version of the protocol belongs"},
	{HelloReadsAll, "7.2", "HELLO reads all options before it applies the last of each"},
	{HidesCommands, "valkey-9.1", "NOAUTH is the error for unknown commands, too"},
	{HistoryIsNoChange, "7.4", "XREADGROUP changes nothing if it replies what is pending for the consumer already"},
	{IgnoresMoreModes, "valkey", "CLIENT UNBLOCK and CLIENT PAUSE take further arguments, and ignore their mode then"},
	{KeepsLoadedScripts, "valkey", "SCRIPT LOAD makes a script stay that EVAL has loaded before"},
	{KeySlotAlone, "valkey-9.1", "CLUSTER KEYSLOT is no error outside of a cluster"},
	{LargeCallsLogged, "valkey-8.1", "COMMANDLOG has calls with large requests or replies"},
	{LastEntryID, "7.4 valkey-8.0", "XREAD takes + as the ID of the last entry"},
	{LastEntryIDFails, "<valkey-9.0", "XREAD fails for the ID + if the stream never had an entry"},
	{LastEntryIDSkips, "7.4", "XREAD skips deleted entries for the ID +, where others find none behind them"},
	{LimitFromEnd, "=7.4 =8.0 valkey", "ZRANGE and others count a negative offset of LIMIT from the end of the range, " +
		"if the sorted set is a skip list"},
	{LimitsUnauthenticated, "8.0 valkey-8.1", "client-output-buffer-limit: a client that has not logged in may leave " +
		"at most 1 kB of replies unread"},
	{LineEndsChecked, "valkey-9.0", "protocol: a request with another end of a line than CR LF is an error"},
	{ListIndexIsInt32, "7.2", "LSET takes the lowest 32 bits of its index"},
	{MSetExNumKeysInRange, "valkey", "MSETEX has an error for numkeys out of range, and a syntax error for one that is " +
		"larger than the number of keys"},
	{MemoryBeforeUser, "valkey-9.1", "scripts: a command that needs more memory than maxmemory leaves is rejected for " +
		"that, not for what the user may not do"},
	{MultiStays, "valkey", "CLIENT LIST has multi=0 behind the first MULTI or WATCH of a client, where others have -1"},
	{MurmurHash, "valkey", "scripts: tables hash strings by MurmurHash, which shows in the order of pairs"},
	{NamedFieldsExpire, "redis", "HGET and others remove a field whose time has come while active expiry is off " +
		"(DEBUG), and HSET, HDEL and HEXPIRE find it, where others remove it when it is set"},
	{NamelessScriptErrors, "valkey-9.1", "scripts: errors give the position, on @user_script:1, without the SHA1"},
	{NamelessSlotErrors, "valkey-9.1", "cluster: the error of a script for keys on other nodes does not begin with " +
		"Script"},
	{NamesCommandInTransaction, "valkey-9.1", "MULTI: the error for a command that it does not allow names it"},
	{NoSubcommandsInArray, "valkey-9.1", "COMMAND INFO has an array, not a set, for no subcommands"},
	{OSClock, "7.2", "scripts have the function os.clock"},
	{OneTimeForScript, "7.2", "TIME and all other commands of a script or of EXEC see the time at which that began, " +
		"until a script exceeds busy-reply-threshold"},
	{PastExpiryExpires, "valkey", "EXPIRE, SET, HEXPIRE and others with a time that has passed cause the event " +
		"expired or hexpired, where others cause del or hdel, or let SET store the value first"},
	{PayloadFlagsAlways, "7.2", "ACL LIST and GETUSER always say whether payloads are sanitized"},
	{PayloadFlagsIgnored, "valkey-9.0", "ACL SETUSER ignores sanitize-payload and skip-sanitize-payload"},
	{PushesAfterReplies, "7.2", "PUBLISH and others: messages that a client sends itself, and keyspace events, follow " +
		"its reply"},
	{QueryBufferShared, "valkey", "CLIENT LIST has qbuf=0 and qbuf-free=0, since clients share a buffer for requests"},
	{QuotesMixed, "valkey-9.0", "protocol: a word of an inline command may go on behind a closing quote"},
	{QuotesUnescaped, "=valkey-8.1", "MONITOR does not escape quotes and backslashes"},
	{RankHasMinimum, "7.2", "LPOS and LREM have an error for the lowest integer as rank or count, whose sign can't " +
		"be changed"},
	{ReadOnlyAlone, "valkey-8.0", "READONLY and READWRITE are no error outside of a cluster"},
	{RedisUnnamed, "valkey", "errors do not name Redis"},
	{ResetsFunctions, "8.0 valkey-9.1", "FUNCTION FLUSH resets the settings of cjson that functions have"},
	{ResetsImports, "valkey-9.1", "RESET takes CLIENT IMPORT-SOURCE back"},
	{ResetsNoEvict, "7.2", "RESET takes CLIENT NO-EVICT back"},
	{ReplicatesBatches, "7.2", "SPOP with a count becomes one SREM on replicas, where others send an SREM for each " +
		"member; if it empties the set, UNLINK with lazyfree-lazy-server-del, as RESTORE with a past expiry; GETDEL " +
		"becomes DEL, where others send UNLINK with lazyfree-lazy-user-del"},
	{ReplicatesFields, "redis", "replicas get HEXPIRE with the fields that it changes, HDEL for each field that it " +
		"deletes, and HGETDEL as HDEL, where others send all fields of HEXPIRE, one HDEL, and HGETDEL"},
	{ReplicatesGroupID, "7.2", "XREADGROUP becomes XCLAIM and XGROUP SETID on replicas, where others send the latter " +
		"for NOACK only"},
	{ReplicatesHSetEx, "8.0", "HINCRBYFLOAT becomes HSETEX with KEEPTTL on replicas, where others send HSET"},
	{ReplicatesHSetOfNew, "valkey-9.0", "HSETNX, and HINCRBY of a missing field or one that expires, become HSET " +
		"or HSETEX on replicas if fields of the hash expire"},
	{ReplicatesMultiFirst, "7.2", "MULTI precedes the SELECT of a transaction on replicas, where others send SELECT " +
		"first"},
	{ReplicatesNames, "valkey-9.1", "SET with an expiry keeps its letter case on replicas, and GEOADD becomes ZADD, " +
		"where others send SET and zadd"},
	{ReplicatesPXAT, "7.2", "SET with PXAT is the same on replicas, where others send it without GET and conditions"},
	{RestoreTouches, "8.2", "RESTORE with REPLACE marks the key as used even if it fails"},
	{RightScriptErrors, "7.2", "scripts: redis.set_repl asks for one argument, and redis.log names its level"},
	{RulesKept, "7.2", "ACL LIST and GETUSER show rules about commands as they were given, not computed from what " +
		"they allow"},
	{ScanChecksType, "valkey", "SCAN has an error for a TYPE that is not the name of a type"},
	{ScanNamesHScan, "7.4 valkey", "SCAN, SSCAN and ZSCAN have an error of their own for NOVALUES, which only HSCAN has"},
	{ScanNamesZScan, "valkey", "SCAN, SSCAN and HSCAN have an error of their own for NOSCORES, which only ZSCAN has"},
	{ScriptCallsHaveSizes, "valkey-9.1", "COMMANDLOG has the size of the reply of a call that a script makes, not that " +
		"of the script's request"},
	{ScriptCallsNameClient, "valkey-8.1", "SLOWLOG shows the client of a call that a script makes"},
	{ScriptCallsNameNone, "7.2", "SLOWLOG shows no client for a call that a script makes"},
	{ScriptSlotErrors, "7.4 =valkey-8.1", "cluster: the error of a script tells keys in several slots, and slots that " +
		"no node has, from keys on other nodes"},
	{ServerTable, "valkey", "scripts have the table server, too, which errors name in place of redis"},
	{ShardsHaveIDs, "valkey-9.1", "CLUSTER SHARDS tells the ID of each shard, CLUSTER INFO counts nodes that have failed"},
	{ShortDoubles, "7.2", "ZSCORE and others reply doubles with as few digits as tell them from their neighbors: 0.1, " +
		"where others write 0.10000000000000001"},
	{ShortNoScript, "valkey", "EVALSHA: the error NOSCRIPT does not advise EVAL"},
	{ShortPositions, "8.0", "GEOPOS and WITHCOORD reply coordinates like other doubles, not with up to 17 decimals"},
	{SizesByArguments, "7.2", "HSET, SADD and ZADD choose the encoding of a value by the number of their arguments, " +
		"even if some are equal"},
	{SizesBySkipped, "valkey", "ZADD makes a sorted set a skip list for a long member even if an option skips it"},
	{SizesHSetEx, "8.0", "HSETEX chooses the encoding of a hash by the number of its arguments"},
	{SortsBySlot, "7.4 valkey-8.0", "cluster: SORT takes patterns of BY and GET whose keys are in the slot of its key"},
	{TellsOverwritten, "8.2", "notify-keyspace-events has o and c: a key whose value is replaced has the events " +
		"overwritten and, if the type is another one, type_changed"},
	{TimeoutOutOfRange, "7.2", "BLPOP and others: a timeout that ends after the last possible time has an error of " +
		"its own"},
	{TracksReadsOfScripts, "7.2", "CLIENT TRACKING remembers what scripts read, not the keys that they declare"},
	{UnbalancedNamesCommand, "7.2", "XREAD and XREADGROUP name themselves in the error for more keys than ids, or fewer"},
	{UnbalancedNamesPlus, "7.4", "XREAD says that + may be an id if it got more keys than ids, or fewer"},
	{UnblockFails, "<7.2", "INFO commandstats counts a call as failed that CLIENT UNBLOCK ends like a timeout"},
	{UnblockRejects, "valkey", "INFO commandstats counts a call as rejected that CLIENT UNBLOCK ends with an error, " +
		"where others count it as failed"},
	{UnservedCallsLogged, "7.2", "SLOWLOG has calls that block until their timeout or CLIENT UNBLOCK"},
	{UserNamed, "7.2", "NOPERM errors name the user"},
	{ValkeyInScriptErrors, "valkey-9.1", "scripts: errors for commands that they may not call say Valkey, and name " +
		"unknown subcommands"},
	{VectorsSwitched, "8.0 valkey-8.1", "PFDEBUG SIMD turns vector instructions on and off"},
	{XsetidHeedsDeleted, "7.2", "XSETID rejects an id that is smaller than one of a deleted entry"},
	{ZoneInHello, "valkey", "HELLO tells the availability zone, if there is one"},
}
