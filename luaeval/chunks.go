package luaeval

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// A chunk that a script compiles at run time belongs to the state that runs the script: unlike scripts, it is neither
// shared between states nor kept for the next run.

// loadString is loadstring(source, name): the chunk as a function, or nil and the error of the compiler. Without a
// name, positions in the chunk quote its source: [string "return 1"].
func loadString(L *lua.LState) int {
	source := lualib.CheckString(L, 1)
	return pushChunk(L, source, lualib.OptString(L, 2, source))
}

// load is load(function, name): the function returns the source piece by piece, nil or an empty string at its end. An
// error that it raises is returned by load, as is that of the compiler. The pieces together may not exceed the longest
// string.
func (st *state) load(L *lua.LState) int {
	reader, name := lualib.CheckFunction(L, 1), lualib.OptString(L, 2, "=(load)")
	var source strings.Builder
	for {
		piece, err := st.readPiece(L, reader)
		if err != lua.LNil {
			return pushFailure(L, err)
		}
		text, ok := lualib.ToString(piece)
		switch {
		case piece == lua.LNil || ok && text == "":
			return pushChunk(L, source.String(), name)
		case !ok:
			return pushFailure(L, lua.LString(luafront.Where(L, 1)+"reader function must return a string"))
		case source.Len()+len(text) > st.engine.limits.maxString():
			return pushFailure(L, lua.LString("not enough memory"))
		}
		source.WriteString(text)
	}
}

// readPiece calls the function that load was given, and returns what it returned or raised: the other one is nil.
func (st *state) readPiece(L *lua.LState, reader *lua.LFunction) (piece, failure lua.LValue) {
	L.Push(reader)
	if err := st.machine.Catch(L, 0, 1); err != nil {
		return lua.LNil, luafront.Message(err)
	}
	piece = L.Get(-1)
	L.Pop(1)
	return piece, lua.LNil
}

// pushChunk compiles a source and pushes the function, or nil and the error. It returns the number of results.
func pushChunk(L *lua.LState, source, name string) int {
	proto, err := luafront.Compile(source, name)
	if err != nil {
		return pushFailure(L, lua.LString(err.Error()))
	}
	L.Push(L.NewFunctionFromProto(proto))
	return 1
}

// pushFailure pushes nil and an error, the results of a load that failed.
func pushFailure(L *lua.LState, failure lua.LValue) int {
	L.Push(lua.LNil)
	L.Push(failure)
	return 2
}
