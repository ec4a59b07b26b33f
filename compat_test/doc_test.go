// Package compat holds what clients of Redis may rely on against this server. None of its
// judges is our own opinion:
//
//   - the census: every Lua script in the published Redisson jars must compile, and every
//     command that a script names must be known with a fitting number of arguments;
//   - the stories in testdata: written conversations whose replies were recorded from
//     redis-server 7.0.15 and are compared byte for byte (go test -run Stories -rewrite
//     records them again);
//   - the Lua snippets in testdata/lua: a thousand small scripts, recorded in the same way,
//     with a written list of those that may differ (-run LuaSnippets);
//   - side by side runs: Redisson's own lock scripts in stories, all scripts of Redisson and
//     BullMQ with arguments and data derived from them, seeded random commands and
//     seeded random Lua programs are sent to this server and to a redis-server, and replies
//     and data must be the same;
//   - the real Redisson client, whose Java tests are in redisson.
//
// Where redis-server is missing the recorded stories are the only reference; the side by
// side runs need it. COMPAT_TARGET=redis puts a second redis-server in our place, which
// tests the tests. All but the Java tests speaks raw RESP, so that no client library hides a
// difference. Run with -count=1: servers are processes of their own, and go test cannot see
// that one has changed.
package compat
