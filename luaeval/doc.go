// Package luaeval runs Redis' Lua scripts on gopher-lua: compiled scripts by their SHA-1, a pool of ready states, the
// redis table, and the conversions between replies and Lua values. It reaches the commands through Caller, which it
// declares itself, and knows nothing else of the server.
//
// A script is compiled once and its function prototype shared by all states. Entering a script is a pool get, filling
// two tables and a call. Function libraries are catalogued as a whole and loaded by each state when it first needs
// them; one that keeps something between calls has a state for itself (see Library).
//
// What differs between gopher-lua and Redis' Lua is put right in luafront (syntax and machine) and lualib (libraries).
package luaeval
