// Package journal has the commands that a server has received, as a test sees them: Server.Commands returns a Journal.
package journal

import (
	"fmt"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/internal/words"
)

// Entry is a command that a client has sent, or that a script has called.
type Entry struct {
	ID      int64     // 1 for the first entry of a journal, and so on
	Time    time.Time // when it was received, on the server's clock
	Client  int64     // the id of the client
	Name    string    // of the client, by CLIENT SETNAME; "" if it has none
	Addr    string    // of the client
	DB      int
	Command string   // the name in lower case, such as "set" or "config|get"
	Args    []string // all arguments, the name as it was sent included; passwords read "(redacted)"
	Script  bool     // a script of the client has called it
	// Err is the error reply, "" if there is none yet. Those of commands within EXEC are not known: they are a part of
	// its reply.
	Err string
}

// Line returns the command as a line for redis-cli: arguments with special characters are quoted.
func (e Entry) Line() string {
	args := make([]string, len(e.Args))
	for i, arg := range e.Args {
		args[i] = arg
		if arg == "" || strings.ContainsFunc(arg, needsQuotes) {
			args[i] = words.Quote([]byte(arg))
		}
	}
	return strings.Join(args, " ")
}

func needsQuotes(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"'\\", r) }

// String returns the entry as a line: time, client, and what the client has sent. What a script has called is indented.
func (e Entry) String() string {
	from := fmt.Sprintf("client %d %s", e.Client, e.Addr)
	if e.Name != "" {
		from += " " + e.Name
	}
	if e.DB != 0 {
		from += fmt.Sprintf(" db %d", e.DB)
	}
	indent, failed := "", ""
	if e.Script {
		indent = "  "
	}
	if e.Err != "" {
		failed = " -> " + e.Err
	}
	return fmt.Sprintf("%s [%s] %s%s%s", e.Time.UTC().Format("15:04:05.000"), from, indent, e.Line(), failed)
}

// Is reports whether the command has a name, in any case: "get", "config|get", or "config" for all its subcommands. The
// empty name is that of all commands.
func (e Entry) Is(name string) bool {
	name = strings.ToLower(name)
	container, _, _ := strings.Cut(e.Command, "|")
	return name == "" || name == e.Command || name == container
}

// Match returns a function that reports whether the Line of an entry fits a glob pattern, as of KEYS: "SET lock:*". The
// case of the command's name does not matter.
func Match(pattern string) func(Entry) bool {
	lower := lowerName(pattern)
	return func(e Entry) bool {
		line := e.Line()
		return glob.Match(pattern, line) || glob.Match(lower, lowerName(line))
	}
}

// lowerName returns a line with its first word in lower case.
func lowerName(line string) string {
	name, _, _ := strings.Cut(line, " ")
	return strings.ToLower(name) + line[len(name):]
}
