package command

import "github.com/minilockd/minilockd/internal/resp"

// keySpecReply is the specification in COMMAND INFO.
func keySpecReply(s *KeySpec) resp.Value {
	var note []resp.Value
	if s.Note != "" {
		note = []resp.Value{resp.BulkString("notes"), resp.BulkString(s.Note)}
	}
	return resp.Map(append(note, resp.BulkString("flags"), statusSet(s.access()),
		resp.BulkString("begin_search"), beginSearch(s), resp.BulkString("find_keys"), findKeys(s))...)
}

func beginSearch(s *KeySpec) resp.Value {
	switch {
	case s.unknown():
		return typed("unknown", resp.Map())
	case s.Keyword != "":
		return typed("keyword", fields("keyword", s.Keyword, "startfrom", s.From))
	}
	return typed("index", fields("index", s.Index))
}

func findKeys(s *KeySpec) resp.Value {
	switch {
	case s.unknown():
		return typed("unknown", resp.Map())
	case s.Count:
		return typed("keynum", fields("keynumidx", 0, "firstkey", 1, "keystep", 1))
	}
	return typed("range", fields("lastkey", s.Last, "keystep", max(s.Step, 1), "limit", s.Limit))
}

func typed(kind string, spec resp.Value) resp.Value {
	return resp.Map(resp.BulkString("type"), resp.BulkString(kind), resp.BulkString("spec"), spec)
}
