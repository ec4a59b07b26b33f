package compat

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/catalog"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
)

// dataGroups are the groups of COMMAND DOCS whose commands work on data; moreDataCommands are others that do.
var (
	dataGroups = []string{"generic", "string", "bitmap", "hash", "list", "set", "sorted-set", "stream", "geo",
		"hyperloglog",
		"transactions", "scripting"}
	moreDataCommands = []string{"swapdb", "select", "flushdb", "flushall"}
)

// neverSent are commands on data that no template sends, and why.
var neverSent = map[string]string{
	"migrate":          "needs two servers",
	"restore-asking":   "is only sent by cluster nodes",
	"wait":             "waits for replicas; without any it waits for its timeout",
	"waitaof":          "waits for a file, which minilockd does not write",
	"script|show":      "shows scripts by their digest; see newer_commands.txt",
	"pfselftest":       "takes seconds, and does not depend on data",
	"object|encoding":  "see encodingScripts",
	"script|debug":     "forks a process in Redis",
	"script|kill":      "needs a running script",
	"function|kill":    "needs a running script",
	"function|stats":   "needs a running script",
	"function|dump":    "libraries are in the order of a hash table",
	"function|restore": "needs payloads of FUNCTION DUMP",
}

// neverWritten are tokens of commands that no template has, and why.
var neverWritten = map[string]string{
	"xadd *":                   "depends on the time",
	"geosearch BYPOLYGON":      "needs a polygon; see geo_search.txt",
	"geosearchstore BYPOLYGON": "needs a polygon; see geo_search.txt",
}

// sentWords returns the arguments that the templates send, by the name of the command.
func sentWords() map[string]map[string]bool {
	g := newGenerator(1, 1, commandGroups, map[template]int{})
	g.dumps = []string{"payload"}
	templates := slices.Concat(blockingTemplates, unblockTemplates)
	for _, f := range commandGroups {
		templates = append(templates, f.templates...)
	}
	sent := map[string]map[string]bool{}
	for _, f := range templates {
		for range 100 {
			note(sent, f.expand(rand.New(rand.NewPCG(g.rnd.Uint64(), 0)), g))
		}
	}
	return sent
}

// note records the arguments of a command, under its name and under its subcommand's.
func note(sent map[string]map[string]bool, args []string) {
	name := strings.ToLower(args[0])
	for _, name := range []string{name, name + "|" + strings.ToLower(args[min(1, len(args)-1)])} {
		if sent[name] == nil {
			sent[name] = map[string]bool{}
		}
		for _, word := range args[1:] {
			sent[name][strings.ToUpper(word)] = true
		}
	}
}

// document is what COMMAND DOCS says about a command.
type document struct {
	group  string
	tokens []string // of its options
	parent bool     // has subcommands
}

// documents returns the COMMAND DOCS of all commands, subcommands included.
func documents(t *testing.T, addr string) map[string]document {
	t.Helper()
	all := map[string]document{}
	readDocuments(all, dial(t, addr).do(t, "COMMAND", "DOCS"))
	return all
}

func readDocuments(all map[string]document, list reply) {
	for i := 0; i+1 < len(list.elems); i += 2 {
		var d document
		fields := fieldsOf(list.elems[i+1])
		d.group = fields["group"].text
		d.tokens = tokensOf(fields["arguments"])
		d.parent = fields["subcommands"].kind != 0
		readDocuments(all, fields["subcommands"])
		all[list.elems[i].text] = d
	}
}

func fieldsOf(list reply) map[string]reply {
	fields := map[string]reply{}
	for i := 0; i+1 < len(list.elems); i += 2 {
		fields[list.elems[i].text] = list.elems[i+1]
	}
	return fields
}

func tokensOf(arguments reply) (tokens []string) {
	for _, a := range arguments.elems {
		fields := fieldsOf(a)
		if token := fields["token"].text; token != "" {
			tokens = append(tokens, token)
		}
		tokens = append(tokens, tokensOf(fields["arguments"])...)
	}
	return tokens
}

// The templates send every command on data that Redis documents, and every token of its options.
func TestRandom_TemplatesCoverAllCommands(t *testing.T) {
	all, sent := documents(t, startReference(t)), sentWords()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		d := all[name]
		isData := slices.Contains(dataGroups, d.group) || slices.Contains(moreDataCommands, name)
		if !isData || d.parent || strings.HasSuffix(name, "|help") {
			continue
		}
		if neverSent[name] != "" {
			require.Nil(t, sent[name], "%s is sent, and needs no exception", name)
			continue
		}
		if sent[name] == nil {
			t.Errorf("no template sends %s", name)
			continue
		}
		for _, token := range d.tokens {
			if !sent[name][strings.ToUpper(token)] && neverWritten[name+" "+token] == "" {
				t.Errorf("no template of %s has %s", name, token)
			}
		}
	}
	known := map[string]bool{} // by any server
	for _, server := range emulate.All() {
		catalog.Table(server).Each(func(cmd *command.Command) { known[cmd.FullName()] = true })
	}
	for name := range neverSent {
		require.True(t, known[name], "an exception for an unknown command: %s", name)
	}
}
