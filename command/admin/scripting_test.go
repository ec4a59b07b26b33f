package admin_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

// A transaction that turns out to need more than its shards runs again: what it did about scripts the first time has
// not happened.
func TestExec_RunAgain_ScriptsAreAsBefore(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	const one, two = "return 1", "return 2"
	load := func(source string) string { return c.DoArgs([]byte("SCRIPT"), []byte("LOAD"), []byte(source)) }
	sha := strings.Trim(load(one), `"`)
	c.Do("SCRIPT FLUSH")
	c.DoArgs([]byte("SETRANGE"), []byte("large"), []byte("9000"), []byte("x")) // no pre-image is kept of so much
	queue := func(lines ...string) {
		c.Do("MULTI")
		for _, line := range lines {
			if line == "load" {
				load(one)
				continue
			}
			c.Do(line)
		}
		c.DoArgs([]byte("EVAL"), []byte(two), []byte("1"), []byte("large")) // it may restart
	}
	queue("SCRIPT EXISTS "+sha, "load", "APPEND large x")
	c.Want("EXEC", `[[0] "`+sha+`" 9002 2]`)
	queue("EVALSHA "+sha+" 1 large", "SCRIPT FLUSH", "APPEND large x")
	c.Want("EXEC", `[1 OK 9003 2]`)
}

func TestScript_Debug(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	commandtest.NewClient(t, env).Want("SCRIPT DEBUG NO", "OK",
		"SCRIPT DEBUG YES", "ERR this server has no Lua debugger",
		"SCRIPT DEBUG perhaps", "ERR Use SCRIPT DEBUG YES/SYNC/NO")
}

func TestScript_Show(t *testing.T) {
	env := commandtest.NewEnvOf(t, "valkey-8.1")
	c := commandtest.NewClient(t, env)
	source := "#!lua\nreturn 1"
	sha := strings.Trim(c.DoStrings("SCRIPT", "LOAD", source), `"`)
	c.Want("SCRIPT SHOW "+sha, strconv.Quote(source), "SCRIPT SHOW "+strings.ToUpper(sha), strconv.Quote(source),
		"SCRIPT SHOW x", "NOSCRIPT No matching script.")
}
