// Package luafront makes gopher-lua's compiler and virtual machine behave as the Lua 5.1 in Redis.
//
// It knows nothing of Redis' commands and libraries. It corrects four parts, each where that costs least:
//
//   - The text. Compile has its own parser, which returns Lua's exact error messages, bounds the nesting of a source,
//     and gives gopher-lua's compiler only trees that it compiles right. Among those that it does not: assignments of
//     more than one value, "x = (y or z) and x" for a local x, "local f = function() return f end", constructors such
//     as {1, k = f()} and those with a call after 50 values, loops that begin with a jump, a break out of an inner
//     block with upvalues.
//   - The machine. Some of its instructions are replaced (vm.go), for states that Install was called for: numbers
//     become text by %.14g, strings become numbers by C's rules, "__len" of tables has no effect, tables can be
//     read-only and are those of Lua 5.1 (table.go), and a script can be stopped from another goroutine. A program's
//     other states keep gopher-lua's behavior.
//   - Errors. Protected calls (protect.go) keep upvalues shared between functions, which gopher-lua's do not, and
//     errors have Lua's messages with the names of operands and the line.
//   - Functions that belong to these: pcall, error and the like, and coroutines.
//
// Replacing instructions needs gopher-lua's unexported parts (internals.go). Verify checks at start-up that those of
// the version linked in are as expected.
//
// Known differences: zero has no sign once it was computed (-0 prints as 0); a function has 200 registers where Lua has
// 250; a field is named in fewer messages where "and" and "or" are nested; xpcall's handler runs after unwinding; a
// chain like a+b+c… or elseif may have 2,000 links, a function about 16,000 different constants.
package luafront
