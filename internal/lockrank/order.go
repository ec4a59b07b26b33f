package lockrank

// Rank is a place in the order: one of the types below.
type Rank interface{ rank() }

type place struct{}

func (place) rank() {}

// The ranks of the server.
type (
	Restart         struct{ place }
	Shard           struct{ place }
	BlockedCall     struct{ place }
	Pause           struct{ place }
	FaultRules      struct{ place }
	Partition       struct{ place }
	Journal         struct{ place }
	HookNeeds       struct{ place }
	Sentinels       struct{ place }
	Replication     struct{ place }
	Failover        struct{ place }
	ReplicaInbox    struct{ place }
	ClusterBus      struct{ place }
	Snapshots       struct{ place }
	Saving          struct{ place }
	LockTracker     struct{ place }
	LockWatcher     struct{ place }
	DelayedMessages struct{ place }
	Tracking        struct{ place }
	Monitors        struct{ place }
	History         struct{ place }
	ACLUsers        struct{ place }
	Config          struct{ place }
	Libraries       struct{ place }
	LibraryState    struct{ place }
	Scripts         struct{ place }
	CompiledScripts struct{ place }
	LoadLimit       struct{ place }
	IdleClients     struct{ place }
	Server          struct{ place }
	RunningScripts  struct{ place }
	ScriptState     struct{ place }
	WatchedKeys     struct{ place }
	PubSub          struct{ place }
	SlowLog         struct{ place }
	LatencyLog      struct{ place }
	ACLLog          struct{ place }
	ErrorStats      struct{ place }
	Traffic         struct{ place }
	PushQueue       struct{ place }
	Network         struct{ place }
	Outbox          struct{ place }
	Restrictions    struct{ place }
	Socket          struct{ place }
	Loop            struct{ place }
	Watchdog        struct{ place }
	MemoryConn      struct{ place }
	ExpiryTimer     struct{ place }
	Clock           struct{ place }
)

// The ranks of the lock client. It holds none of them while it talks to a server,
// but for Unlocking; its timers may be on the clock of a server.
type (
	Unlocking    struct{ place }
	Hub          struct{ place }
	LockClient   struct{ place }
	Handle       struct{ place }
	LeaseRenewal struct{ place }
	LatchCleaner struct{ place }
	ClockHold    struct{ place }
)

// Entry is a rank, the package of its mutexes, and why it is where it is.
type Entry struct {
	Rank    Rank
	Package string
	Reason  string
}

// Order is the list, the outermost first.
var Order = []Entry{
	{Unlocking{}, "lock", "is held while one Unlock of a handle talks to the server. Nothing may be held meanwhile"},
	{Hub{}, "lock", "is held while a subscription starts or ends, which starts and stops work of the client"},
	{LockClient{}, "lock", "is held while work starts, which Close then waits for; the hub may be held around it"},
	{Handle{}, "lock", "is held while the lease of a handle is added to the renewal, or removed from it"},
	{LeaseRenewal{}, "lock", "is held while the timer for the next renewal is set on the clock"},
	{LatchCleaner{}, "lock", "is held while the timer for latches to be deleted is set on the clock"},
	{ClockHold{}, "lock", "is held while a hold of the clock begins or ends"},

	{Restart{}, "server", "is held while FAULT.RESTART closes connections and changes data, and while a connection is " +
		"accepted"},
	{Shard{}, "store", "comes first of those of commands: all that happens within a transaction happens under it, so " +
		"nothing that holds another may start one. Several shards are locked in the order of their numbers; " +
		"Tx.Extend takes any if it is free"},
	{BlockedCall{}, "command", "is held while the transaction that changes a key serves a client that waits for it"},
	{Pause{}, "command", "is held while CLIENT PAUSE stops the expiry of keys and sets its timer"},
	{FaultRules{}, "internal/faults", "is held while a call is compared with the rules of FAULT.ADD, which may load its " +
		"script"},
	{Partition{}, "command/control", "is held while FAULT.PARTITION and FAULT.HEAL stop and start the output of " +
		"connections"},
	{Journal{}, "journal", "is held while a command is noted, and while the hooks for that are turned on or off"},
	{HookNeeds{}, "command/control", "is held while a part of that package turns its hooks on or off"},
	{Sentinels{}, "command/sentinel", "is held while the sentinels of a process look at the servers, and send messages"},
	{Replication{}, "command/replication", "is held while a server begins or ceases to follow a master"},
	{Failover{}, "command/replication", "is held while the state of FAILOVER changes"},
	{ReplicaInbox{}, "command/replication", "is held while what a replica has received is put away, or taken to be " +
		"applied"},
	{ClusterBus{}, "command/cluster", "is held while the view of a node of a cluster changes, and those of the nodes " +
		"that it tells"},
	{Snapshots{}, "command/control", "is held while a snapshot is kept by its name, or found"},
	{Saving{}, "command/persistence", "is held while a save begins or ends, and while its timer is set"},
	{LockTracker{}, "internal/lockview", "is held while the keys of a lock are compared with what they were before, and " +
		"while the event is sent"},
	{LockWatcher{}, "command/control", "is held while an event of a lock is queued for a Go function"},
	{DelayedMessages{}, "command/control", "is held while messages that are due are put into the outboxes of the " +
		"subscribers"},
	{Tracking{}, "internal/tracking", "is held while pushes about changed keys are put into the queues of sessions"},
	{Monitors{}, "command", "is held while the line of a call is put into the outboxes of clients in MONITOR"},
	{History{}, "command/replication", "is held while what has changed is put into the outboxes of the replicas"},
	{ACLUsers{}, "internal/acl", "is held while users are changed or found by name"},
	{Config{}, "internal/config", "is held while parameters are set, and while their effects follow"},
	{Libraries{}, "luaeval", "is held while function libraries are replaced, which compiles and runs their source"},
	{LibraryState{}, "luaeval", "is held while a library that keeps something runs one of its functions"},
	{Scripts{}, "luaeval", "is held while a script is kept by its SHA1"},
	{CompiledScripts{}, "luaeval", "is held while the compiled form of a source is found or added"},
	{LoadLimit{}, "luaeval", "is held while the time limit of FUNCTION LOAD stops a state"},
	{IdleClients{}, "server", "is held while the timer for idle clients is set, and while the connections are listed"},
	{Server{}, "server", "is held while the server shuts down, which stops scripts and closes connections and loops"},
	{RunningScripts{}, "luaeval", "is held while the scripts that run are stopped, each under its own mutex"},
	{ScriptState{}, "luaeval", "is held while the script of a state starts, ends or is stopped"},
	{WatchedKeys{}, "store", "is held while a change marks each Watch of a key; UNWATCH takes it without the shard"},
	{PubSub{}, "pubsub", "is held while a message is put into the outboxes of the subscribers"},
	{SlowLog{}, "internal/stats", "is held while a slow call is noted"},
	{LatencyLog{}, "internal/stats", "is held while an event that took long is noted"},
	{ACLLog{}, "internal/acl", "is held while a denied call is noted"},
	{ErrorStats{}, "internal/stats", "is held while an error is counted"},
	{Traffic{}, "internal/stats", "is held while the traffic of connections is summed"},
	{PushQueue{}, "command", "is held while another goroutine queues a push for a session, under any of the above"},
	{Network{}, "internal/network", "is held while servers of a process are looked up, or connections between them " +
		"are closed"},
	{Outbox{}, "server", "is held while output is queued or written: any goroutine may have something to send"},
	{Restrictions{}, "server", "is held while a connection asks what it may transfer, which sets a timer"},
	{Socket{}, "server", "is held while a connection is notified that it has output, which notifies its loop"},
	{Loop{}, "server", "is held while a loop is notified of a connection with work"},
	{Watchdog{}, "server", "is held while the timer of the watchdog is set, by a loop or goroutine that starts to work"},
	{MemoryConn{}, "internal/memconn", "is held while bytes of a connection in memory are copied, or it is closed"},
	{ExpiryTimer{}, "store", "is held while the timer of the store is set on the clock"},
	{Clock{}, "internal/clock", "comes last: a timer may be set under any of the above"},
}
