// Package lualib holds the libraries that Redis gives its scripts, for gopher-lua, with the semantics of Redis 7.0's bundled
// Lua 5.1 to the byte: numbers as text, patterns, string.format, sort order, cjson, cmsgpack, struct, bit, and error texts.
//
// # Basics
//
// [Open] puts the libraries into a state as globals: string, table, math, cjson, cmsgpack, struct, bit, and the functions
// tostring, tonumber, select and unpack. [FormatNumber], [FormatArgument] and [ParseNumber] are the same conversions for the
// interpreter and for redis.call.
//
// # Caveats
//
//   - pcall, error, coroutines, pairs and the rest of the base library belong to the state's owner.
//   - gopher-lua keeps no hash slots, so the order in which Lua would walk a table is computed by [Keys] as if the keys had
//     been set one after another, integers first; a table that had keys removed, or that its constructor presized, can
//     differ where keys collide.
//   - The length of a table with holes is that of luafront.Len; in Lua it depends on how the table grew.
//   - No string longer than [Options].MaxString is built; Redis would go on until memory ends.
//
// The package knows nothing of Redis' commands or replies.
package lualib
