// Package acl decides which commands, keys and channels a user may use (Redis documentation: ACL). It is a part of the
// server, not an API.
//
// Users holds a server's users. A user's Rules are replaced as a whole and never change once they are set, so a
// session checks a call without a lock. Commands are known by number and category only: package command says which
// these are, and where the keys and channels of a call are.
package acl
