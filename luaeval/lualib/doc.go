// Package lualib implements the libraries of Redis' scripts for gopher-lua, with the semantics of the Lua 5.1 in Redis
// 7.0 to the byte: numbers as text, patterns, string.format, sort order, cjson, cmsgpack, struct, bit, and error texts.
// The golden files in testdata are recorded from a redis-server.
//
// # Basics
//
// [Open] puts the libraries into a state as globals: string, table, math, cjson, cmsgpack, struct, bit, and the
// functions tostring, tonumber, select and unpack. [FormatNumber], [FormatArgument] and [ParseNumber] are the same
// conversions for the interpreter and for redis.call.
//
// # Caveats
//
//   - pcall, error, coroutines, pairs and the rest of the base library belong to the owner of the state.
//   - Tables are those of luafront, so a state needs luafront.Install before a script runs.
//   - No string longer than [Options].MaxString is built; Redis would use up the memory.
//
// The package knows nothing of the commands and replies of Redis.
package lualib
