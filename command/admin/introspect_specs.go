package admin

// Key specifications in COMMAND INFO (Redis documentation: command key specifications): begin_search says where the
// first key is, find_keys how many follow and at what distance.

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

// keySpecReply returns a key specification as a map; "notes" is there only if the row has a note.
func keySpecReply(s *command.KeySpec) resp.Value {
	var note []resp.Value
	if s.Note != "" {
		note = []resp.Value{resp.BulkString("notes"), resp.BulkString(s.Note)}
	}
	return resp.Map(append(note, resp.BulkString("flags"), statusSet(s.AccessFlags()),
		resp.BulkString("begin_search"), beginSearch(s), resp.BulkString("find_keys"), findKeys(s))...)
}

// beginSearch returns where the keys begin: at an index, or after a keyword that is searched from an index on.
func beginSearch(s *command.KeySpec) resp.Value {
	switch {
	case s.Unknown():
		return typed("unknown", resp.Map())
	case s.Keyword != "":
		return typed("keyword", command.Fields("keyword", s.Keyword, "startfrom", s.From))
	}
	return typed("index", command.Fields("index", s.Index))
}

// findKeys returns which arguments are keys from there on: a range, or as many as a number before them says.
func findKeys(s *command.KeySpec) resp.Value {
	switch {
	case s.Unknown():
		return typed("unknown", resp.Map())
	case s.Count:
		return typed("keynum", command.Fields("keynumidx", 0, "firstkey", 1, "keystep", max(s.Step, 1)))
	}
	return typed("range", command.Fields("lastkey", s.Last, "keystep", max(s.Step, 1), "limit", s.Limit))
}

// typed returns a part of a specification: its type, and the fields of that type.
func typed(kind string, spec resp.Value) resp.Value {
	return resp.Map(resp.BulkString("type"), resp.BulkString(kind), resp.BulkString("spec"), spec)
}
