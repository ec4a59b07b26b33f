// Package lualib implements the libraries of Redis' scripts for gopher-lua, with the semantics of Redis 7.0's bundled
// Lua 5.1 to the byte: numbers as text, patterns, string.format, sort order, cjson, cmsgpack, struct, bit, and error
// texts.
//
// # Basics
//
// [Open] puts the libraries into a state as globals: string, table, math, cjson, cmsgpack, struct, bit, and the
// functions tostring, tonumber, select and unpack. [FormatNumber], [FormatArgument] and [ParseNumber] are the same
// conversions for the interpreter and for redis.call.
//
// # Caveats
//
//   - pcall, error, coroutines, pairs and the rest of the base library belong to the state's owner.
//   - Tables are luafront's, so a state needs luafront.Install before a script runs.
//   - No string longer than [Options].MaxString is built; Redis would use up the memory.
//
// The package knows nothing of Redis' commands or replies.
package lualib
