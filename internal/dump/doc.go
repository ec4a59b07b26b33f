// Package dump converts values to payloads of DUMP and back, with the parts in package rdb, as the server does that the
// version of the format is of. It writes the encoding that OBJECT ENCODING returns, and reads every encoding that the
// server reads, including those of older versions, except modules.
//
// Payloads are checked as with sanitize-dump-payload yes: packed encodings are read to the end, there may be no
// duplicates, and counts must match. Where the format has no expiry of hash fields, such a hash is written without it.
package dump

import (
	"errors"

	"github.com/minilockd/minilockd/internal/rdb"
)

// ErrFormat is Redis' error for a payload with a right footer and invalid content.
var ErrFormat = errors.New("ERR Bad data format")

// ErrFooter is Redis' error for a payload of a newer version, or with a wrong checksum.
var ErrFooter = rdb.ErrFooter

// The types of values in an RDB file. The ones not marked are written; all are read.
const (
	typeString       = 0
	typeList         = 1 // until Redis 3.0
	typeSet          = 2
	typeZSetText     = 3 // until 4.0, with scores as text
	typeHash         = 4
	typeZSet         = 5
	typeHashZipmap   = 9  // until 2.4
	typeListZiplist  = 10 // until 3.0
	typeSetInts      = 11
	typeZSetZiplist  = 12 // until 6.2
	typeHashZiplist  = 13 // until 6.2
	typeListZiplists = 14 // until 6.2
	typeStreamOld    = 15 // until 6.2
	typeHashPacked   = 16
	typeZSetPacked   = 17
	typeList2        = 18
	typeStream       = 19 // until 7.0
	typeSetPacked    = 20
	typeStream3      = 21
	typeHashValkey   = 22 // with the expiry of each field, of Valkey 9
	typeHashExpiring = 24 // the same of Redis 7.4
	typeHashTriples  = 25 // the same in packed form
)
