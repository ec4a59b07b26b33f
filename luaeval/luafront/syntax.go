package luafront

import (
	"strings"

	"github.com/minilockd/minilockd/internal/words"
)

// SyntaxError says why a source can't be compiled, in the words of Lua 5.1: "user_script:1: unexpected symbol near
// '<eof>'". Redis puts "ERR Error compiling script (new function): " before it.
type SyntaxError struct {
	Chunk   string // as positions show it
	Line    int
	Message string // with the token, without the position
}

// Error gives the position and the message.
func (e *SyntaxError) Error() string {
	return e.Chunk + ":" + itoa(e.Line) + ": " + e.Message
}

// newSyntaxError adds the current token. Lua builds its messages as C strings, so a NUL ends the token.
func newSyntaxError(chunk string, line int, message, near string) *SyntaxError {
	if near != "" {
		message += " near '" + words.UntilNUL(near) + "'"
	}
	return &SyntaxError{Chunk: chunk, Line: line, Message: message}
}

// The room that Lua keeps for the name of a chunk in messages, with its closing NUL: LUA_IDSIZE at run time, more in
// syntax errors.
const (
	maxChunkID  = 60
	maxSyntaxID = 80
)

// ChunkID turns the name that a chunk was loaded under into what positions show, as luaO_chunkid does: "=name" and
// "@file" lose their first character, and the end or the beginning of what is too long; all else is quoted source text:
// [string "return 1..."].
func ChunkID(name string) string { return chunkID(name, maxChunkID) }

// chunkID is ChunkID for another room.
func chunkID(name string, room int) string {
	name = words.UntilNUL(name)
	switch {
	case strings.HasPrefix(name, "="):
		return name[1:min(len(name), room)]
	case strings.HasPrefix(name, "@"):
		room -= len(" '...' ") + 1
		if name = name[1:]; len(name) > room {
			return "..." + name[len(name)-room:]
		}
		return name
	}
	return quoteSource(name, room)
}

// quoteSource shows the first line of a source as far as there is room.
func quoteSource(source string, room int) string {
	room -= len(` [string "..."] `) + 1
	first := source
	if end := strings.IndexAny(source, "\r\n"); end >= 0 {
		first = source[:end]
	}
	first = first[:min(len(first), room)]
	if len(first) < len(source) {
		first += "..."
	}
	return `[string "` + first + `"]`
}
