package admin_test

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/tracking"
)

func TestClientTracking_Errors(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.Connect(t, env, 1)[0].Want(
		"CLIENT TRACKING x", "ERR syntax error",
		"CLIENT TRACKING on REDIRECT a", "ERR value is not an integer or out of range",
		"CLIENT TRACKING on REDIRECT 77", "ERR The client ID you want redirect to does not exist",
		"CLIENT TRACKING on REDIRECT", "ERR syntax error",
		"CLIENT TRACKING on REDIRECT 1 REDIRECT 1", "ERR A client can only redirect to a single other client",
		"CLIENT TRACKING on PREFIX a", "ERR PREFIX option requires BCAST mode to be enabled",
		"CLIENT TRACKING on BCAST OPTIN", "ERR OPTIN and OPTOUT are not compatible with BCAST",
		"CLIENT TRACKING on OPTIN OPTOUT", "ERR You can't specify both OPTIN mode and OPTOUT mode",
		"CLIENT TRACKING on foo", "ERR syntax error",
		"CLIENT TRACKING on BCAST PREFIX foo PREFIX foobar",
		"ERR Prefix 'foo' overlaps with another provided prefix 'foobar'. Prefixes for a single client must not "+
			"overlap.",
		"CLIENT CACHING yes", "ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN "+
			"or OPTOUT mode enabled",
		"CLIENT TRACKINGINFO", `["flags" ["off"] "redirect" -1 "prefixes" []]`,
		"CLIENT TRACKING on BCAST PREFIX foo", "OK",
		"CLIENT TRACKING on BCAST PREFIX fo",
		"ERR Prefix 'fo' overlaps with an existing prefix 'foo'. Prefixes for a single client must not overlap.",
		"CLIENT TRACKING on", "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and "+
			"then re-enabling it with a different mode.",
		"CLIENT TRACKINGINFO", `["flags" ["on" "bcast"] "redirect" 0 "prefixes" ["foo"]]`,
		"CLIENT TRACKING off", "OK",
		"CLIENT TRACKING on OPTIN NOLOOP", "OK",
		"CLIENT TRACKING on OPTOUT", "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this "+
			"client, and then re-enabling it with a different mode.",
		"CLIENT CACHING no", "ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.",
		"CLIENT CACHING maybe", "ERR syntax error",
		"CLIENT CACHING yes", "OK",
		"CLIENT TRACKINGINFO", `["flags" ["on" "optin" "caching-yes" "noloop"] "redirect" 0 "prefixes" []]`,
		"PING", "PONG",
		"CLIENT TRACKINGINFO", `["flags" ["on" "optin" "noloop"] "redirect" 0 "prefixes" []]`,
		"RESET", "RESET",
		"CLIENT GETREDIR", "-1",
	)
}

// Redis 7.0 remembers the keys that a script declares, later ones those that it reads.
func TestTracking_KeysOfScripts(t *testing.T) {
	for server, keys := range map[string]int{"7.0": 2, "7.2": 1, "valkey-9.1": 1} {
		env := commandtest.NewEnvOf(t, server)
		c := commandtest.Connect(t, env, 1)[0]
		c.Want("CLIENT TRACKING on", "OK", "EVAL_RO redis.call('get',KEYS[1]) 2 a b", "nil",
			"EVAL_RO return(1) 1 c", "1")
		require.Equal(t, tracking.Counts{Clients: 1, Keys: keys, Items: keys}, env.Tracking.Counts(), server)
	}
}

// What a transaction reads after it has changed the key is remembered, as it is the new value.
func TestTracking_ReadAfterChange(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	clients := commandtest.Connect(t, env, 2)
	c, other := clients[0], clients[1]
	c.Do("HELLO 3")
	c.Want("CLIENT TRACKING on", "OK", "GET a", "nil")
	for _, write := range []string{"SET a 1", "EVAL redis.call('set','a',1);redis.call('get','a') 0"} {
		c.Do("MULTI")
		c.Do(write)
		c.Do("GET a")
		c.Do("EXEC")
		require.Len(t, c.Pushes(), 1, "the old value")
		other.Want("SET a 2", "OK")
		c.Do("PING")
		require.Len(t, c.Pushes(), 1, "the new value, after %s", write)
		c.Do("GET a")
	}
	other.Want("SET e 1 PX 1", "OK")
	clock.Advance(time.Second)
	c.Want("GET e", "nil")
	c.Pushes()
	other.Want("SET e 2", "OK")
	c.Do("PING")
	require.Len(t, c.Pushes(), 1, "a key that had expired when it was read")
}

func TestTracking_WhatIsRemembered(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.Connect(t, env, 1)[0]
	c.Want(
		"CLIENT TRACKING on OPTIN", "OK",
		"GET unasked", "nil",
		"CLIENT CACHING yes", "OK",
		"MGET a b", "[nil nil]",
		"CLIENT CACHING yes", "OK",
		"MULTI", "OK", "GET c", "QUEUED", "SET d 1", "QUEUED", "EXEC", "[nil OK]",
		"GET unasked", "nil",
		"CLIENT CACHING yes", "OK",
		"EVAL_RO redis.call('get',KEYS[1]) 2 e f", "nil",
	)
	require.Equal(t, tracking.Counts{Clients: 1, Keys: 4, Items: 4}, env.Tracking.Counts(),
		"a b c, and what the script reads")
	c.Want("CONFIG SET tracking-table-max-keys 2", "OK")
	require.Equal(t, tracking.Counts{Clients: 1, Keys: 2, Items: 2}, env.Tracking.Counts())
	c.Want("FLUSHDB", "OK")
	require.Equal(t, tracking.Counts{Clients: 1}, env.Tracking.Counts())
	c.Session.Close()
	require.Zero(t, env.Tracking.Counts())
}
