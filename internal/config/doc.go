// Package config holds the server's parameters: those of redis.conf and CONFIG SET (Redis documentation:
// configuration). It is a part of the server, not an API.
//
// Every fact about a parameter is in its row: name, alias, default, valid values, whether it may change, and what a
// change sets in Config. All parameters of Redis 7.0 have a row. Those of things that this server does not have are
// stored without any effect (ignored.go), so that programs which set them work; the few whose value would be a promise
// that it can't keep are pinned and give an error.
package config
