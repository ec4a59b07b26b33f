// Package luafront stands between a script's text and gopher-lua's machine and makes the two behave as the Lua 5.1 in Redis.
package luafront
