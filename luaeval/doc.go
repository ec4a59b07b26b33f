// Package luaeval runs Redis' Lua scripts on gopher-lua. It is a part of the server (package server), not an API: it
// has no compatibility promise. It holds compiled scripts by their SHA1, a pool of Lua states, the redis table, and the
// conversions between replies and Lua values. It calls commands through Caller, which it declares itself, and knows
// nothing else of the server.
//
// A script is compiled once, and all states share its function prototype. Running a script takes a state from the pool,
// fills KEYS and ARGV and makes a call. Function libraries are loaded by each state when it first needs them; one that
// keeps data between calls has its own state (see Library).
//
// Packages luafront (syntax and virtual machine) and lualib (libraries) correct the differences between gopher-lua and
// Redis' Lua.
package luaeval
