package admin

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

// keySpecReply is the specification in COMMAND INFO.
func keySpecReply(s *command.KeySpec) resp.Value {
	var note []resp.Value
	if s.Note != "" {
		note = []resp.Value{resp.BulkString("notes"), resp.BulkString(s.Note)}
	}
	return resp.Map(append(note, resp.BulkString("flags"), statusSet(s.AccessFlags()),
		resp.BulkString("begin_search"), beginSearch(s), resp.BulkString("find_keys"), findKeys(s))...)
}

func beginSearch(s *command.KeySpec) resp.Value {
	switch {
	case s.Unknown():
		return typed("unknown", resp.Map())
	case s.Keyword != "":
		return typed("keyword", command.Fields("keyword", s.Keyword, "startfrom", s.From))
	}
	return typed("index", command.Fields("index", s.Index))
}

func findKeys(s *command.KeySpec) resp.Value {
	switch {
	case s.Unknown():
		return typed("unknown", resp.Map())
	case s.Count:
		return typed("keynum", command.Fields("keynumidx", 0, "firstkey", 1, "keystep", 1))
	}
	return typed("range", command.Fields("lastkey", s.Last, "keystep", max(s.Step, 1), "limit", s.Limit))
}

func typed(kind string, spec resp.Value) resp.Value {
	return resp.Map(resp.BulkString("type"), resp.BulkString(kind), resp.BulkString("spec"), spec)
}
