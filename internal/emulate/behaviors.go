package emulate

// Behavior is something that all servers can be asked for but that they answer differently. What a server does not know
// at all (a command, an argument) has its version in its own row.
type Behavior uint8

// The behaviors. Each has a line in the list, which says what it is.
const (
	BitCountOpenEnd Behavior = iota
	BitRangeBeforeKey
	BlockingInScripts
	ClientsFiltered
	DelayedRegistration
	EncodesSmallLists
	EncodesSmallSets
	EnginesByName
	EvictsScripts
	FieldExpiryUnpacks
	FieldOptionsLikeSet
	FlushesBeforeReply
	GetExChecksExpiry
	KeepsLoadedScripts
	LargeCallsLogged
	MSetExNumKeysInRange
	NamelessScriptErrors
	NamesCommandInTransaction
	OSClock
	PastExpiryExpires
	PushesAfterReplies
	QueryBufferShared
	RankHasMinimum
	RightScriptErrors
	ScanChecksType
	ScanNamesHScan
	ScanNamesZScan
	ServerTable
	ShortDoubles
	ShortNoScript
	TimeoutOutOfRange
	TracksReadsOfScripts
	ValkeyInScriptErrors

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
	{BlockingInScripts, "7.2", "scripts may call BLPOP and its like, which do not wait there"},
	{ClientsFiltered, "valkey-8.1", "CLIENT LIST has the filters of CLIENT KILL, and ID takes several IDs in both"},
	{DelayedRegistration, "valkey", "FUNCTION LOAD checks the names of functions when the code has run"},
	{EncodesSmallLists, "7.2", "a list that fits one listpack has that encoding, and is a quicklist beyond it"},
	{EncodesSmallSets, "7.2", "a small set whose members are not all integers is a listpack for OBJECT ENCODING"},
	{EnginesByName, "valkey", "the engine in a shebang line may be in any letter case"},
	{EvictsScripts, "7.4 valkey-8.0", "of the scripts that EVAL has loaded the last 500 are kept"},
	{FieldExpiryUnpacks, "valkey", "a hash with a field that expires is a hashtable for OBJECT ENCODING"},
	{FieldOptionsLikeSet, "valkey", "HEXPIRE, HGETEX and HSETEX read their options up to FIELDS like EXPIRE and SET, and " +
		"the commands with FIELDS read all arguments before they look the hash up"},
	{FlushesBeforeReply, "8.0", "FLUSHALL and FLUSHDB invalidate all keys before they reply, unless they are ASYNC"},
	{GetExChecksExpiry, "valkey-9.1", "GETEX checks the number of its expiry before it looks the key up"},
	{KeepsLoadedScripts, "valkey", "SCRIPT LOAD makes a script stay that EVAL has loaded before"},
	{LargeCallsLogged, "valkey-8.1", "calls with large requests or replies are logged (COMMANDLOG)"},
	{MSetExNumKeysInRange, "valkey", "MSETEX has an error for numkeys out of range, and a syntax error for one that is " +
		"larger than the number of keys"},
	{NamelessScriptErrors, "valkey-9.1", "errors of scripts give the position without the script"},
	{NamesCommandInTransaction, "valkey-9.1", "the error for a command that MULTI does not allow names it"},
	{OSClock, "7.2", "scripts have the global os with the function clock"},
	{PastExpiryExpires, "valkey", "an expiry that has passed makes the key or field expire at once, with the event " +
		"expired or hexpired, where others delete it with del or hdel, or let SET store it first"},
	{PushesAfterReplies, "7.2", "messages that a client sends itself, and keyspace events, follow its reply"},
	{QueryBufferShared, "valkey", "clients share a buffer for requests: in CLIENT LIST they have none of their own"},
	{RankHasMinimum, "7.2", "LPOS has an error for the lowest integer as RANK, since its sign can't be changed"},
	{RightScriptErrors, "7.2", "redis.set_repl asks for one argument, and redis.log names its level"},
	{ScanChecksType, "valkey", "SCAN has an error for a TYPE that is not the name of a type"},
	{ScanNamesHScan, "7.4 valkey", "SCAN, SSCAN and ZSCAN have an error of their own for NOVALUES, which only HSCAN has"},
	{ScanNamesZScan, "valkey", "SCAN, SSCAN and HSCAN have an error of their own for NOSCORES, which only ZSCAN has"},
	{ServerTable, "valkey", "scripts have the table server, too, which errors name in place of redis"},
	{ShortDoubles, "7.2", "scores and other doubles have as few digits as tell them from their neighbors: 0.1, where " +
		"others write 0.10000000000000001"},
	{ShortNoScript, "valkey", "NOSCRIPT does not advise EVAL"},
	{TimeoutOutOfRange, "7.2", "a timeout that ends after the last possible time has an error of its own"},
	{TracksReadsOfScripts, "7.2", "tracking remembers what scripts read, not the keys that they declare"},
	{ValkeyInScriptErrors, "valkey-9.1", "commands that scripts may not call are Valkey's, and unknown subcommands are named"},
}
