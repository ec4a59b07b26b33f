// Package dump turns values into the payloads of DUMP and back: the pieces of package rdb, put together as redis-server
// 7.0.15 does. It writes the form that OBJECT ENCODING names, and reads every form that redis-server reads, those of
// older versions included, modules excepted.
//
// What comes in is checked as with sanitize-dump-payload yes: packed forms are read to the end, nothing may come twice,
// and numbers must fit what follows. The expiry of single fields of a hash (Redis 7.4) has no place in the format of
// 7.0: such a hash is written with its fields only.
package dump

import (
	"errors"

	"github.com/minilockd/minilockd/internal/rdb"
)

// ErrFormat is what Redis answers to a payload whose footer is right but whose content makes no sense.
var ErrFormat = errors.New("ERR Bad data format")

// ErrFooter is what Redis answers to a payload that another version wrote, or that is damaged.
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
)
