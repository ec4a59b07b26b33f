package workload

import (
	"crypto/sha1"
	"embed"
	"encoding/hex"
	"path"
	"strings"
)

// files has the scripts. Those of locks begin with a comment on their keys, arguments and reply.
//
//go:embed lua/*.lua
var files embed.FS

// scripts is the text of each by the name of its file, without the extension.
var scripts = func() map[string]string {
	all := make(map[string]string)
	entries, err := files.ReadDir("lua")
	if err != nil {
		panic(err) // they are in the binary
	}
	for _, entry := range entries {
		text, err := files.ReadFile(path.Join("lua", entry.Name()))
		if err != nil {
			panic(err)
		}
		all[strings.TrimSuffix(entry.Name(), ".lua")] = string(text)
	}
	return all
}()

// setup makes every run begin alike: no keys, all scripts known. Without it a run would depend on those before it.
func setup() [][]string {
	commands := [][]string{{"FLUSHALL"}}
	for _, text := range scripts {
		commands = append(commands, []string{"SCRIPT", "LOAD", text})
	}
	return commands
}

// A script that does not exist is a mistake in this package, which every run finds, so call panics.

// call is EVALSHA of a script, as clients call scripts that the server has.
func call(script string, keys []string, args ...string) []string {
	text, ok := scripts[script]
	if !ok {
		panic("no script " + script)
	}
	sum := sha1.Sum([]byte(text))
	words := append([]string{"EVALSHA", hex.EncodeToString(sum[:]), digits(len(keys))}, keys...)
	return append(words, args...)
}
