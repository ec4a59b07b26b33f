package emulate

// Behavior is something that all servers can be asked for but that they answer differently. What a server does not know
// at all (a command, an argument) has its version in its own row.
type Behavior uint8

// The behaviors. Each has a line in the list, which says what it is.
const (
	BitCountOpenEnd Behavior = iota
	BitRangeBeforeKey
	BlockedCallsRunAgain
	BlockingInScripts
	CapsEntriesRead
	ChecksCursors
	ClientsFiltered
	ConsumersTryAndGet
	CountHeedsDeleted
	CountKnowsUnread
	CountsPersisted
	CountsTrimmedAnew
	CutsBigNumbers
	DatabaseRules
	DecimalBounds
	DecimalScores
	DelayedRegistration
	DenialsNumbered
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
	NamedFieldsExpire
	NamelessScriptErrors
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
	RankHasMinimum
	ReadOnlyAlone
	RedisUnnamed
	ResetsFunctions
	ResetsImports
	RestoreTouches
	RightScriptErrors
	RulesKept
	ScanChecksType
	ScanNamesHScan
	ScanNamesZScan
	ScriptCallsHaveSizes
	ScriptCallsNameClient
	ScriptCallsNameNone
	ServerTable
	ShortDoubles
	ShortNoScript
	ShortPositions
	TellsOverwritten
	TimeoutOutOfRange
	TracksReadsOfScripts
	UnbalancedNamesCommand
	UnbalancedNamesPlus
	UnservedCallsLogged
	UserNamed
	ValkeyInScriptErrors
	VectorsSwitched
	XsetidHeedsDeleted
	ZoneInHello

	behaviors // their number
)

// list says what each behavior is and which servers have it, in the notation of Server.Has.
var list = []struct {
	behavior Behavior
	since    string
	what     string
}{
	{BitCountOpenEnd, "valkey", "BITCOUNT takes a start without an end"},
	{BitRangeBeforeKey, "7.2", "BITCOUNT and BITPOS check their range before they look the key up"},
	{BlockedCallsRunAgain, "7.2", "a call that blocks runs again when one of its keys changes: it uses the first key " +
		"that has an element, or all streams, or fails as a new call would"},
	{BlockingInScripts, "7.2", "scripts may call BLPOP and its like, which do not wait there"},
	{CapsEntriesRead, "8.2", "ENTRIESREAD of XGROUP is at most the number of entries that were added"},
	{ChecksCursors, "7.2", "the cursor of SCAN may have blanks before it, but must not be empty or negative"},
	{ClientsFiltered, "valkey-8.1", "CLIENT LIST has the filters of CLIENT KILL, and ID takes several IDs in both"},
	{ConsumersTryAndGet, "7.2", "consumers have a time when they last tried to get entries, which alone creates them, " +
		"and one when they last got some (XINFO: inactive, active-time)"},
	{CountHeedsDeleted, "7.4 valkey-8.1", "the lag of a group, and what it has read, heed all deleted entries"},
	{CountKnowsUnread, "7.4", "the lag of a group that has read none of the entries is the length of the stream, and " +
		"that of all groups of an empty stream is 0"},
	{CountsPersisted, "valkey-9.0", "each field that HPERSIST changes is a change, where others count one for all"},
	{CountsTrimmedAnew, "8.0 valkey-8.1", "what a group has read is counted anew behind trimmed entries"},
	{CutsBigNumbers, "valkey-9.1", "a big number of a script ends at a NUL"},
	{DatabaseRules, "valkey-9.1", "ACL rules can limit the databases"},
	{DecimalBounds, "8.0 valkey-9.1", "bounds of scores, and the numbers that SORT compares, are decimal, without " +
		"blanks before them"},
	{DecimalScores, "valkey-9.1", "scores, weights and coordinates are decimal, too, and the empty text is no " +
		"number for SORT"},
	{DelayedRegistration, "valkey", "FUNCTION LOAD checks the names of functions when the code has run"},
	{DenialsNumbered, "7.2", "entries of ACL LOG have a number and the times at which they were made and changed"},
	{EmbedsBesideKey, "8.2 valkey", "OBJECT ENCODING embstr depends on the length of the key, too"},
	{EmbedsLonger, "valkey-9.1", "OBJECT ENCODING embstr is for up to 113 bytes of key and value"},
	{EmptyLogKept, "7.2", "the slow log stays as it is while its length is set to 0, where others empty it"},
	{EncodesSmallLists, "7.2", "a list that fits one listpack has that encoding, and is a quicklist beyond it"},
	{EncodesSmallSets, "7.2", "a small set whose members are not all integers is a listpack for OBJECT ENCODING"},
	{EnginesAreModules, "valkey-9.1", "the engine of Lua scripts is a module"},
	{EnginesByName, "valkey", "the engine in a shebang line may be in any letter case"},
	{ErrorCodesOverflow, "valkey", "INFO errorstats counts errors that scripts make up as ERRORSTATS_OVERFLOW once there " +
		"are 128 codes"},
	{EvictsScripts, "7.4 valkey-8.0", "of the scripts that EVAL has loaded the last 500 are kept"},
	{FieldExpiryUnpacks, "valkey", "a hash with a field that expires is a hashtable for OBJECT ENCODING"},
	{FieldOptionsLikeSet, "valkey", "HEXPIRE, HGETEX and HSETEX read their options up to FIELDS like EXPIRE and SET, " +
		"and the commands with FIELDS read all arguments before they look the hash up"},
	{FlushInBackground, "7.4", "FLUSHALL and FLUSHDB free keys in the background while the client waits"},
	{FlushesBeforeReply, "8.0", "FLUSHALL and FLUSHDB invalidate all keys before they reply, unless they are ASYNC"},
	{GeoNamesMember, "valkey-9.1", "the error for a missing member of GEOSEARCH FROMMEMBER and GEORADIUSBYMEMBER " +
		"names it"},
	{GetExChecksExpiry, "valkey-9.1", "GETEX checks the number of its expiry before it looks the key up"},
	{GoneWakesGroups, "7.2", "a stream that is replaced wakes the clients of its key only if one of them waits for a " +
		"group of it, where before any client that waits for a stream was enough"},
	{HelloNamesProto, "7.2", "the error of HELLO without a login says where its version of the protocol belongs"},
	{HelloReadsAll, "7.2", "HELLO reads all options before it applies the last of each"},
	{HidesCommands, "valkey-9.1", "a client that has not logged in gets NOAUTH for unknown commands, too"},
	{HistoryIsNoChange, "7.4", "XREADGROUP changes nothing if it replies what is pending for the consumer already"},
	{IgnoresMoreModes, "valkey", "CLIENT UNBLOCK and CLIENT PAUSE take further arguments, and ignore their mode then"},
	{KeepsLoadedScripts, "valkey", "SCRIPT LOAD makes a script stay that EVAL has loaded before"},
	{KeySlotAlone, "valkey-9.1", "CLUSTER KEYSLOT is no error outside of a cluster"},
	{LargeCallsLogged, "valkey-8.1", "calls with large requests or replies are logged (COMMANDLOG)"},
	{LastEntryID, "7.4 valkey-8.0", "the id + of XREAD is the last entry"},
	{LastEntryIDFails, "<valkey-9.0", "the id + of XREAD is an error if the stream never had an entry"},
	{LastEntryIDSkips, "7.4", "the id + of XREAD skips deleted entries, where others find none behind them"},
	{LimitFromEnd, "=7.4 =8.0 valkey", "a negative offset of LIMIT counts from the end of the range, if the sorted set " +
		"is a skip list"},
	{LimitsUnauthenticated, "8.0 valkey-8.1", "a client that has not authenticated may leave little output unread"},
	{LineEndsChecked, "valkey-9.0", "a request with another end of a line than CR LF is an error"},
	{ListIndexIsInt32, "7.2", "LSET takes the lowest 32 bits of its index"},
	{MSetExNumKeysInRange, "valkey", "MSETEX has an error for numkeys out of range, and a syntax error for one that is " +
		"larger than the number of keys"},
	{NamedFieldsExpire, "redis", "while active expiry is off (DEBUG), a field whose time has come is removed by a " +
		"command that reads it, and is there for HSET, HDEL and HEXPIRE, where others remove it when it is set"},
	{NamelessScriptErrors, "valkey-9.1", "errors of scripts give the position without the script"},
	{NamesCommandInTransaction, "valkey-9.1", "the error for a command that MULTI does not allow names it"},
	{NoSubcommandsInArray, "valkey-9.1", "COMMAND INFO has an array, not a set, for no subcommands"},
	{OSClock, "7.2", "scripts have the global os with the function clock"},
	{OneTimeForScript, "7.2", "all times that commands of a script use, except the reply of TIME, are that of its start"},
	{PastExpiryExpires, "valkey", "an expiry that has passed makes the key or field expire at once, with the event " +
		"expired or hexpired, where others delete it with del or hdel, or let SET store it first"},
	{PayloadFlagsAlways, "7.2", "ACL rules always say whether payloads are sanitized"},
	{PayloadFlagsIgnored, "valkey-9.0", "the ACL rules sanitize-payload and skip-sanitize-payload have no effect"},
	{PushesAfterReplies, "7.2", "messages that a client sends itself, and keyspace events, follow its reply"},
	{QueryBufferShared, "valkey", "clients share a buffer for requests: in CLIENT LIST they have none of their own"},
	{QuotesMixed, "valkey-9.0", "a word of an inline command may go on behind a closing quote"},
	{RankHasMinimum, "7.2", "LPOS and LREM have an error for the lowest integer as rank or count, whose sign can't " +
		"be changed"},
	{ReadOnlyAlone, "valkey-8.0", "READONLY and READWRITE are no error outside of a cluster"},
	{RedisUnnamed, "valkey", "errors do not name Redis"},
	{ResetsFunctions, "8.0 valkey-9.1", "FUNCTION FLUSH resets the settings of cjson that functions have"},
	{ResetsImports, "valkey-9.1", "RESET takes CLIENT IMPORT-SOURCE back"},
	{RestoreTouches, "8.2", "RESTORE with REPLACE marks the key as used even if it fails"},
	{RightScriptErrors, "7.2", "redis.set_repl asks for one argument, and redis.log names its level"},
	{RulesKept, "7.2", "ACL rules about commands are shown as they were given, not computed from what they allow"},
	{ScanChecksType, "valkey", "SCAN has an error for a TYPE that is not the name of a type"},
	{ScanNamesHScan, "7.4 valkey", "SCAN, SSCAN and ZSCAN have an error of their own for NOVALUES, which only HSCAN has"},
	{ScanNamesZScan, "valkey", "SCAN, SSCAN and HSCAN have an error of their own for NOSCORES, which only ZSCAN has"},
	{ScriptCallsHaveSizes, "valkey-9.1", "COMMANDLOG has the size of the reply of a call that a script makes, not that of " +
		"the script's request"},
	{ScriptCallsNameClient, "valkey-8.1", "SLOWLOG shows the client of a call that a script makes"},
	{ScriptCallsNameNone, "7.2", "SLOWLOG shows no client for a call that a script makes"},
	{ServerTable, "valkey", "scripts have the table server, too, which errors name in place of redis"},
	{ShortDoubles, "7.2", "scores and other doubles have as few digits as tell them from their neighbors: 0.1, where " +
		"others write 0.10000000000000001"},
	{ShortNoScript, "valkey", "NOSCRIPT does not advise EVAL"},
	{ShortPositions, "8.0", "GEOPOS and WITHCOORD reply coordinates like other doubles, not with up to 17 decimals"},
	{TellsOverwritten, "8.2", "a key whose value is replaced has the events overwritten and, if the type is another one, " +
		"type_changed (notify-keyspace-events: o and c)"},
	{TimeoutOutOfRange, "7.2", "a timeout that ends after the last possible time has an error of its own"},
	{TracksReadsOfScripts, "7.2", "tracking remembers what scripts read, not the keys that they declare"},
	{UnbalancedNamesCommand, "7.2", "XREAD and XREADGROUP name themselves in the error for more keys than ids, or fewer"},
	{UnbalancedNamesPlus, "7.4", "XREAD says that + may be an id if it got more keys than ids, or fewer"},
	{UnservedCallsLogged, "7.2", "SLOWLOG has calls that block until their timeout or CLIENT UNBLOCK"},
	{UserNamed, "7.2", "an error about permissions says which user lacks them"},
	{ValkeyInScriptErrors, "valkey-9.1", "commands that scripts may not call are Valkey's, and unknown subcommands " +
		"are named"},
	{VectorsSwitched, "8.0 valkey-8.1", "PFDEBUG SIMD turns vector instructions on and off"},
	{XsetidHeedsDeleted, "7.2", "XSETID rejects an id that is smaller than one of a deleted entry"},
	{ZoneInHello, "valkey", "HELLO tells the availability zone, if there is one"},
}
