// Package admin has the commands of connections, transactions, scripts, Pub/Sub and the server: HELLO, MULTI, EVAL,
// SUBSCRIBE, CONFIG, INFO, ACL, DEBUG and so on. It is a part of the server, not an API.
//
// As in command/data a command is a row and a function in one file. What a command does to the session or the server
// is a method of Session, Call or Env in package command; what is here reads arguments and writes replies. What
// minilockd does not have (files, replicas, modules) has the replies of a Redis that makes no use of it.
// DEBUG OBJECT needs helpers of command/data; that is the only import between the two.
package admin

import (
	"github.com/minilockd/minilockd/command"
)

// Families returns the commands of this package, by the group of COMMAND DOCS.
func Families() []command.Family {
	return []command.Family{
		{Group: "connection", Rows: connectionCommands},
		{Group: "pubsub", Rows: pubsubCommands},
		{Group: "scripting", Rows: scriptingCommands},
		{Group: "server", Rows: serverCommands},
		{Group: "transactions", Rows: transactionCommands},
	}
}

// The changes that several commands share.
var (
	toAllNodes = []command.Change{{Since: "7.2", Tips: "request_policy:all_nodes response_policy:all_succeeded"}}
	whileBusy  = []command.Change{{Since: "valkey-9.1", Gains: command.AllowBusy}}
)
