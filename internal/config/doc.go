// Package config holds the server's parameters: those of redis.conf and CONFIG SET (Redis documentation:
// configuration). It is a part of the server, not an API.
//
// Every fact about a parameter is in its row: name, alias, default, values, whether it may change, and what follows
// it.
package config
