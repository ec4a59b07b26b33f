// Package rdb reads and writes the pieces that Redis' RDB files and DUMP payloads are made of: lengths, strings with
// their short forms, the packed forms of small values (listpack, intset, and the older ziplist and zipmap), LZF, and
// the footer with the version and the checksum. It knows nothing of keys and values: package dump puts the pieces
// together.
//
// Writing appends to a slice, as package encoding/binary does. Reading trusts nothing: a [Reader] stays failed once
// anything was wrong, gives zero values from then on, and never asks for more memory than what it has read can stand
// for.
package rdb

// Version is that of the format, of Redis 7.0. Redis reads what is no newer than itself.
const Version = 10
