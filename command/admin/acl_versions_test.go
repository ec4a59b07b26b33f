package admin_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// Since Redis 7.2 errors name the user, and rules about commands stay as they were given.
func TestACL_Since72(t *testing.T) {
	env := commandtest.NewEnvOf(t, "7.2")
	clients := commandtest.Connect(t, env, 2)
	admin, u := clients[0], clients[1]
	admin.Want("ACL SETUSER u on nopass ~a* &c* +@all -debug -set +@connection -flushall -get +get", "OK")
	require.Contains(t, admin.Do("ACL LIST"), `"user u on nopass sanitize-payload ~a* resetchannels &c* +@all -debug `+
		`-set +@connection -flushall +get"`)
	u.Want("AUTH u x", "OK", "SET a 1", "NOPERM User u has no permissions to run the 'set' command",
		"GET b", "NOPERM No permissions to access a key", "PUBLISH x 1", "NOPERM No permissions to access a channel")
	u.Want("EVAL return(redis.pcall('get','b')['err']) 0", `"ERR ACL failure in script: No permissions to access a key"`)
	u.Want("EVAL return(redis.pcall('set','a',1)['err']) 0",
		`"ERR ACL failure in script: User u has no permissions to run the 'set' command"`)
	admin.Want("ACL DRYRUN u GET b", `"User u has no permissions to access the 'b' key"`,
		"ACL DRYRUN u SET a 1", `"User u has no permissions to run the 'set' command"`)
	u.Do("GET b")
	require.Regexp(t, `^\[\["count" 2 "reason" "key" .* "entry-id" 1 "timestamp-created" \d+ `+
		`"timestamp-last-updated" \d+\]\]$`,
		admin.Do("ACL LOG 1"))
	admin.Want("ACL SETUSER s +config|get -config +select|1", "OK", "ACL SETUSER s -select", "OK")
	require.Contains(t, admin.Do("ACL GETUSER s"), `"commands" "-@all -config -select"`)
}

func TestACL_Databases(t *testing.T) {
	env := commandtest.NewEnvOf(t, "valkey-9.1")
	clients := commandtest.Connect(t, env, 2)
	admin, u := clients[0], clients[1]
	const denied = "NOPERM No permissions to access database"
	admin.Want("ACL SETUSER u on nopass ~* &* +@all DB=3,1,1", "OK",
		"ACL LIST", `["user default on nopass ~* &* +@all" "user u on nopass ~* &* db=1,3 +@all"]`)
	u.Want("AUTH u x", "OK", "GET a", denied, "PING", "PONG", "EVAL return(1) 0", denied, "MOVE a 1", denied,
		"SWAPDB 1 3", "OK", "SWAPDB 1 2", denied, "SELECT 2", denied, "SELECT 1", "OK", "GET a", "nil",
		"COPY a b DB 3", "0", "COPY a b REPLACE DB 0", denied, "MOVE a 99", "ERR DB index is out of range",
		"FLUSHALL", denied, "FLUSHDB", "OK", "WATCH a", "OK", "PUBLISH c 1", "0")
	require.Contains(t, admin.Do("ACL LOG 1"), `"reason" "database" "context" "toplevel" "object" "flushall"`)
	admin.Want("ACL DRYRUN u SELECT 2", `"User u has no permissions to access database 2"`,
		"ACL DRYRUN u get a", `"User u has no permissions to access database get"`,
		"ACL SETUSER u resetdbs", "OK")
	u.Want("GET a", denied)
	require.Contains(t, admin.Do("ACL GETUSER u"), `"databases" "" "selectors"`)
	require.Contains(t, admin.Do("ACL LIST"), `&* resetdbs +@all`)
	admin.Want("ACL SETUSER u alldbs skip-sanitize-payload", "OK")
	require.Contains(t, admin.Do("ACL GETUSER u"), `"flags" ["on" "nopass"] `)
	u.Want("GET a", "nil")
	for rule, message := range map[string]string{"db=": "Syntax error", "db=a": "Syntax error", "db=1,,2": "Syntax error",
		"db=-1": "The provided database ID is out of range", "db=99999999999": "The provided database ID is out of range"} {
		admin.Want("ACL SETUSER u "+rule, "ERR Error in ACL SETUSER modifier '"+rule+"': "+message)
	}
}

func TestMulti_RefusedCommand(t *testing.T) {
	for server, want := range map[string]string{
		"8.2":        "ERR MULTI calls can not be nested",
		"valkey-8.1": "ERR Command not allowed inside a transaction",
		"valkey-9.1": "ERR Command 'multi' not allowed inside a transaction",
	} {
		c := commandtest.NewClient(t, commandtest.NewEnvOf(t, server))
		c.Want("MULTI", "OK", "MULTI", want)
	}
}

func TestReadOnly_OutsideOfClusters(t *testing.T) {
	c := commandtest.NewClient(t, commandtest.NewEnvOf(t, "valkey-8.1"))
	c.Want("READONLY", "OK")
	require.Contains(t, c.Do("CLIENT INFO"), " flags=r ")
	c.Want("READWRITE", "OK")
	require.Contains(t, c.Do("CLIENT INFO"), " flags=N ")
	c = commandtest.NewClient(t, commandtest.NewEnvOf(t, "8.2"))
	c.Want("READONLY", "ERR This instance has cluster support disabled")
}

func TestHello_Zone(t *testing.T) {
	c := commandtest.NewClient(t, commandtest.NewEnvOf(t, "valkey-9.1"))
	c.Want("CONFIG SET availability-zone a", "OK")
	require.Contains(t, c.Do("HELLO"),
		`"modules" [["name" "lua" "ver" 1 "path" "lua" "args" []]] "availability_zone" "a"]`)
}

func TestHello_OptionsAtOnceOrAllFirst(t *testing.T) {
	for server, want := range map[string]string{"7.0": `"z"`, "7.2": "nil"} {
		c := commandtest.NewClient(t, commandtest.NewEnvOf(t, server))
		c.Want("HELLO 2 SETNAME z FOO", "ERR Syntax error in HELLO option 'FOO'", "CLIENT GETNAME", want)
	}
	c := commandtest.NewClient(t, commandtest.NewEnvOf(t, "8.2"))
	c.Want("ACL SETUSER u on >p +@all", "OK")
	c.Do("HELLO 2 AUTH u wrong SETNAME a AUTH u p SETNAME b")
	c.Want("ACL WHOAMI", `"u"`, "CLIENT GETNAME", `"b"`)
}

func TestACL_DatabasesWithinMulti(t *testing.T) {
	env := commandtest.NewEnvOf(t, "valkey-9.1")
	clients := commandtest.Connect(t, env, 2)
	clients[0].Want("ACL SETUSER u on nopass (db=0,1 +@all -@read ~*) (db=2,3 +@all -@write ~*)", "OK")
	clients[1].Want("AUTH u x", "OK", "MULTI", "OK", "SET a 1", "QUEUED", "SELECT 2", "QUEUED", "GET a", "QUEUED",
		"SELECT 0", "QUEUED", "SET b 1", "QUEUED", "EXEC", "[OK OK nil OK OK]",
		"MULTI", "OK", "SELECT 4", "NOPERM User u has no permissions to run the 'select' command")
}

func TestConfig_MemoryWithinExec(t *testing.T) {
	env := commandtest.NewEnvOf(t, "8.2")
	c := commandtest.NewClient(t, env)
	c.Want("SET a 1", "OK", "MULTI", "OK", "CONFIG SET maxmemory-policy allkeys-random maxmemory 1", "QUEUED",
		"CLIENT PAUSE 50000 WRITE", "QUEUED", "EXEC", "[OK OK]", "DBSIZE", "1", "CLIENT UNPAUSE", "OK", "DBSIZE", "0")
}
