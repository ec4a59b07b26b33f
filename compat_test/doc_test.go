// Package compat compares minilockd with redis-server and tests it with real clients. The expected results come from
// them:
//
//   - every Lua script in the released Redisson jars must compile, and every command that it calls must exist and
//     take the number of arguments;
//   - scenarios in testdata are commands whose replies were recorded from redis-server 7.0.15, and are compared byte
//     for byte (go test -run Scenarios -rewrite records them again);
//   - Lua scripts in testdata/lua, 1,000 small ones, were recorded in the same way (-run LuaScripts);
//   - comparisons send the same commands to minilockd and to a redis-server, and require the same replies and data:
//     Redisson's lock scripts, all scripts of Redisson and BullMQ with derived arguments, random commands and random
//     Lua programs;
//   - real clients are tested: Redisson's tests are in redisson, launchers of test servers in launchers.
//
// Without redis-server only the recorded replies are compared. COMPAT_TARGET=redis puts a second redis-server in the
// place of minilockd, which tests the tests. The tests send raw RESP, because client libraries hide differences; Java
// and Node have their own clients. Run with -count=1: go test does not notice that a server has changed.
package compat
