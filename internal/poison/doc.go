// Package poison overwrites memory that must not be read any more. A resp.Value may alias the words of a request or the
// elements of an arena, both of which are used again; one that is used too late reads Byte, so that a test fails. It
// does so in builds with the tag poison only; otherwise its functions are empty.
package poison

// Byte is what freed memory is filled with. It begins no reply and is no digit.
const Byte = 0xdb
