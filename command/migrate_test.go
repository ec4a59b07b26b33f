package command

import "testing"

func TestMigrate(t *testing.T) {
	env, _ := newTestEnv(t)
	c := newTestClient(t, env)
	c.want(
		"MIGRATE h 1 k 0 100", "NOKEY",
		"SET k v", "OK",
		"MIGRATE h 1 k 0 100 COPY REPLACE AUTH pw", "IOERR error or timeout connecting to the client",
		"MIGRATE h 1 '' 0 100 AUTH2 u pw KEYS l k", "IOERR error or timeout connecting to the client",
		"MIGRATE h 1 '' 0 100 KEYS l", "NOKEY",
		"MIGRATE h 1 k 0 100 KEYS l", "ERR When using MIGRATE KEYS option, the key argument must be set to the empty string",
		"MIGRATE h 1 k 0 x", "ERR value is not an integer or out of range",
		"MIGRATE h 1 k x 100", "ERR value is not an integer or out of range",
		"MIGRATE h 1 k 0 100 foo", "ERR syntax error",
		"MIGRATE h 1 k 0 100 AUTH2 u", "ERR syntax error",
		"COMMAND GETKEYS MIGRATE h 1 '' 0 100 AUTH keys KEYS a b", `["a" "b"]`,
		"COMMAND GETKEYS MIGRATE h 1 k 0 100", `["k"]`,
	)
}
