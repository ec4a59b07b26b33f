// Package luafront makes the compiler and the virtual machine of gopher-lua behave as the Lua 5.1 in Redis.
//
// It knows nothing of the commands and libraries of Redis. It corrects four parts, each where that costs least:
//
//   - The text. Compile has its own parser, which returns the exact error messages of Lua, bounds the nesting of a
//     source, and gives the compiler of gopher-lua only trees that it compiles right. Among those that it does not:
//     assignments of more than one value, "x = (y or z) and x" for a local x, "local f = function() return f end",
//     constructors such as {1, k = f()} and those with a call after 50 values, loops that begin with a jump, a break
//     out of an inner block with upvalues.
//   - The machine. Some of its instructions are replaced (vm.go), for states that Install was called for: numbers
//     become text by %.14g, strings become numbers by the rules of C, "__len" of tables has no effect, tables can be
//     read-only and are those of Lua 5.1 (table.go), and a script can be stopped from another goroutine. Other states
//     of the process behave as before.
//   - Errors. Protected calls (protect.go) keep upvalues shared between functions, which those of gopher-lua do not,
//     and errors have the messages of Lua with the names of operands and the line.
//   - Functions that belong to these: pcall, error and the like, and coroutines.
//
// Replacing instructions needs unexported parts of gopher-lua (internals.go). Verify checks at start-up that those of
// the version linked in are as expected.
//
// Known differences: zero has no sign once it was computed (-0 prints as 0); a function has 200 registers where Lua has
// 250; a field is named in fewer messages where "and" and "or" are nested; the handler of xpcall runs after unwinding;
// a chain like a+b+c… or elseif may have 2,000 links, a function about 16,000 different constants.
package luafront
