// Package commandtest runs commands in tests as a client would, without a connection: one call, one reply in a form
// that is easy to read. It is for the tests of command, command/data and command/admin.
package commandtest
