package store

import "unsafe"

// bytesOf views a key of a table as bytes, without a copy. They must never be written to.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
