// Package rdb reads and writes the parts of Redis' RDB files and DUMP payloads: lengths, strings with their short
// forms, the packed forms of small values (listpack, intset, and the older ziplist and zipmap), LZF, and the footer
// with the version and the checksum. It knows nothing of keys and values: package dump combines the parts.
//
// Writing appends to a slice, as package encoding/binary does. Reading validates everything: a [Reader] stays failed
// after the first error, returns zero values from then on, and never allocates more memory than the input can need.
package rdb
