// Package commandtest is the fixture for tests of commands: clients without a connection, whose replies are text that
// is easy to read, and servers with a clock that a test can advance. The tests of command, command/data and
// command/admin use it; nothing else does.
package commandtest
