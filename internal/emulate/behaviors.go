package emulate

// Behavior is something that all servers can be asked for but that they answer differently. What a server does not know
// at all (a command, an argument) has its version in its own row.
type Behavior uint8

// The behaviors. Each has a line in the list, which says what it is.
const (
	BitCountOpenEnd Behavior = iota
	BitRangeBeforeKey
	BlockingInScripts
	EncodesSmallLists
	EncodesSmallSets
	FieldExpiryUnpacks
	FieldOptionsLikeSet
	GetExChecksExpiry
	MSetExNumKeysInRange
	PastExpiryExpires
	RankHasMinimum
	ShortDoubles
	ScanChecksType
	ScanNamesHScan
	ScanNamesZScan
	TimeoutOutOfRange
	BlockingInScripts Behavior = iota
	OSClock
	RightScriptErrors
	ServerTable
	ValkeyInScriptErrors
	NamelessScriptErrors
	EnginesByName
	DelayedRegistration
	ShortNoScript
	TracksReadsOfScripts
	PushesAfterReplies
	FlushesBeforeReply
	NamesCommandInTransaction
	EvictsScripts
	KeepsLoadedScripts

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
	{EncodesSmallLists, "7.2", "a list that fits one listpack has that encoding, and is a quicklist beyond it"},
	{EncodesSmallSets, "7.2", "a small set whose members are not all integers is a listpack for OBJECT ENCODING"},
	{FieldExpiryUnpacks, "valkey", "a hash with a field that expires is a hashtable for OBJECT ENCODING"},
	{FieldOptionsLikeSet, "valkey", "HEXPIRE, HGETEX and HSETEX read their options up to FIELDS like EXPIRE and SET, and " +
		"the commands with FIELDS read all arguments before they look the hash up"},
	{GetExChecksExpiry, "valkey-9.1", "GETEX checks the number of its expiry before it looks the key up"},
	{MSetExNumKeysInRange, "valkey", "MSETEX has an error for numkeys out of range, and a syntax error for one that is " +
		"larger than the number of keys"},
	{PastExpiryExpires, "valkey", "an expiry that has passed makes the key or field expire at once, with the event " +
		"expired or hexpired, where others delete it with del or hdel, or let SET store it first"},
	{RankHasMinimum, "7.2", "LPOS has an error for the lowest integer as RANK, since its sign can't be changed"},
	{ShortDoubles, "7.2", "scores and other doubles have as few digits as tell them from their neighbors: 0.1, where " +
		"others write 0.10000000000000001"},
	{ScanChecksType, "valkey", "SCAN has an error for a TYPE that is not the name of a type"},
	{ScanNamesHScan, "7.4 valkey", "SCAN, SSCAN and ZSCAN have an error of their own for NOVALUES, which only HSCAN has"},
	{ScanNamesZScan, "valkey", "SCAN, SSCAN and HSCAN have an error of their own for NOSCORES, which only ZSCAN has"},
	{TimeoutOutOfRange, "7.2", "a timeout that ends after the last possible time has an error of its own"},
	{OSClock, "7.2", "scripts have the global os with the function clock"},
	{RightScriptErrors, "7.2", "redis.set_repl asks for one argument, and redis.log names its level"},
	{ServerTable, "valkey", "scripts have the table server, too, which errors name in place of redis"},
	{ValkeyInScriptErrors, "valkey-9.1", "commands that scripts may not call are Valkey's, and unknown subcommands are named"},
	{NamelessScriptErrors, "valkey-9.1", "errors of scripts give the position without the script"},
	{EnginesByName, "valkey", "the engine in a shebang line may be in any letter case"},
	{DelayedRegistration, "valkey", "FUNCTION LOAD checks the names of functions when the code has run"},
	{ShortNoScript, "valkey", "NOSCRIPT does not advise EVAL"},
	{TracksReadsOfScripts, "7.2", "tracking remembers what scripts read, not the keys that they declare"},
	{PushesAfterReplies, "7.2", "messages that a client sends itself, and keyspace events, follow its reply"},
	{FlushesBeforeReply, "8.0", "FLUSHALL and FLUSHDB invalidate all keys before they reply, unless they are ASYNC"},
	{NamesCommandInTransaction, "valkey-9.1", "the error for a command that MULTI does not allow names it"},
	{EvictsScripts, "7.4 valkey-8.0", "of the scripts that EVAL has loaded the last 500 are kept"},
	{KeepsLoadedScripts, "valkey", "SCRIPT LOAD makes a script stay that EVAL has loaded before"},
}
