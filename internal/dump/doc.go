// Package dump converts values to payloads of DUMP and back, with the parts in package rdb, as redis-server 7.0.15
// does. It writes the encoding that OBJECT ENCODING returns, and reads every encoding that redis-server reads,
// including those of older versions, except modules.
//
// Payloads are checked as with sanitize-dump-payload yes: packed encodings are read to the end, there may be no
// duplicates, and counts must match. The format of 7.0 has no expiry of hash fields (Redis 7.4): such a hash is written
// without it.
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
	typeStream       = 19
	typeSetPacked    = 20 // of Redis 7.2, in files only, as the next
	typeStream3      = 21
)
