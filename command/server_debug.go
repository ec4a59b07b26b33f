package command

import (
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/resp"
)

// runDebug knows few of Redis' subcommands. It is no container, in Redis neither.
func runDebug(c *Call) resp.Value {
	switch sub := strings.ToLower(string(c.Arg(1))); {
	case sub == "sleep" && c.Len() == 3:
		return debugSleep(c)
	case sub == "error" && c.Len() == 3:
		return resp.Error(string(c.Arg(2)))
	case sub == "log" && c.Len() == 3:
		c.Env().Log.Warn("DEBUG LOG", "message", string(c.Arg(2)))
		return resp.OK
	case sub == "help" && c.Len() == 2:
		return debugHelp()
	}
	return resp.Error("ERR unknown subcommand or wrong number of arguments for '" + clip(c.Arg(1), 128) + "'. Try DEBUG HELP.")
}

// debugSleep holds the whole keyspace for a number of seconds of the server's clock, so that a test which moves the clock on
// ends it. A word that is no number is no time at all.
func debugSleep(c *Call) resp.Value {
	seconds, err := strconv.ParseFloat(string(c.Arg(2)), 64)
	if err == nil && seconds > 0 {
		done := make(chan struct{})
		c.Env().Clock.AfterFunc(time.Duration(seconds*float64(time.Second)), func() { close(done) })
		<-done
	}
	return resp.OK
}

func debugHelp() resp.Value {
	lines := []string{
		"DEBUG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
		"ERROR <string>", "    Answers an error with <string> as its text.",
		"LOG <message>", "    Writes <message> to the server's log.",
		"SLEEP <seconds>", "    Stops all commands that need keys for <seconds>. Decimals are allowed.",
		"HELP", "    Prints this help.",
	}
	statuses := make([]resp.Value, len(lines))
	for i, line := range lines {
		statuses[i] = resp.Status(line)
	}
	return resp.Array(statuses...)
}
