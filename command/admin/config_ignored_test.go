package admin_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestConfig_IgnoredParameters(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	failed := func(name, why string) string {
		return "ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + why
	}
	c.DoArgs([]byte("CONFIG"), []byte("SET"), []byte("save"), []byte("3000 5 60 0"))
	c.Want(
		"CONFIG GET save", `["save" "3000 5 60 0"]`,
		"CONFIG SET save 3000", failed("save", "Invalid save parameters"),
		"CONFIG SET repl-backlog-size 1mb", "OK",
		"CONFIG GET repl-backlog-size", `["repl-backlog-size" "1048576"]`,
		"CONFIG SET client-query-buffer-limit 1", failed("client-query-buffer-limit",
			"argument must be between 1048576 and 9223372036854775807 inclusive"),
		"CONFIG SET daemonize yes", failed("daemonize", "can't set immutable config"),
		"CONFIG SET port 1", failed("port", "Unable to listen on this port. Check server logs."),
	)
}
