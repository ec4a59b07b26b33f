// Package rdbfile reads and writes RDB files, what redis-server saves: the keys of all databases with their expiries,
// and the function libraries. It reads the versions of Redis 2.4 to 8.4 and of Valkey. What it does not know, such as
// values of modules, is an error; nothing is skipped.
package rdbfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/minilockd/minilockd/internal/dump"
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/store"
)

// File is the content of an RDB file.
type File struct {
	Keys      []Key
	Functions []string // the sources of libraries
}

// Key is a key of a database.
type Key struct {
	DB      int
	Name    []byte
	Value   store.Value
	Expires bool
	When    int64 // in ms since the epoch, if Expires is set
	Idle    int64 // seconds since the last use; -1 if unknown
	Freq    int   // the counter of uses; -1 if unknown
}

const (
	magic         = "REDIS"
	valkeyMagic   = "VALKEY"       // since Valkey 9
	headerSize    = len(magic) + 4 // with the version in decimal digits
	checksumSince = 5              // the first version with a checksum at the end
	checksumSize  = 8
)

// The bytes that begin what is no value, as in Redis' rdb.h.
const (
	opSlot         = 0xf4 // how many keys of a slot of a cluster follow, and how many of them expire
	opFunction     = 0xf5 // the source of a library
	opFunctionBeta = 0xf6 // of a release candidate of 7.0
	opModule       = 0xf7 // data of a module
	opIdle         = 0xf8
	opFreq         = 0xf9
	opAux          = 0xfa // a fact about the server, such as its version
	opResize       = 0xfb // how many keys follow
	opExpireMs     = 0xfc
	opExpire       = 0xfd // in seconds
	opDatabase     = 0xfe
	opEnd          = 0xff
)

// Is reports whether data begins like an RDB file.
func Is(data []byte) bool {
	return bytes.HasPrefix(data, []byte(magic)) || bytes.HasPrefix(data, []byte(valkeyMagic))
}

// errCut is the error for a file that ends too early.
var errCut = errors.New("the file is cut off or damaged")

// reader reads a file.
type reader struct {
	*rdb.Reader
	size       int // of the file
	version    rdb.Version
	thresholds *store.Thresholds
	file       File
	db         int
	next       Key // what is known of the next key
}

// Read returns the content of a file for a store with the given thresholds. Names of keys alias data, which must not be
// changed. An error says at which byte of the file it is.
func Read(data []byte, t *store.Thresholds) (*File, error) {
	version, err := check(data)
	if err != nil {
		return nil, fmt.Errorf("RDB file: %w", err)
	}
	r := &reader{Reader: rdb.NewReader(data[headerSize:]), size: len(data), version: version, thresholds: t}
	r.next = r.unknownKey()
	for {
		at := r.size - r.Left()
		end, err := r.entry(r.Byte())
		if r.Failed() && err == nil {
			err = errCut
		}
		if err != nil {
			return nil, fmt.Errorf("RDB file, at byte %d: %w", at, err)
		}
		if end {
			return &r.file, nil
		}
	}
}

// check returns the version. It checks the checksum unless it is 0: then the server that wrote the file did not compute
// it.
func check(data []byte) (rdb.Version, error) {
	if len(data) < headerSize {
		return 0, errCut
	}
	version, err := readVersion(data)
	if err != nil || version < checksumSince {
		return version, err
	}
	end := len(data) - checksumSize
	if end <= headerSize || data[end-1] != opEnd {
		return 0, errCut
	}
	if sum := binary.LittleEndian.Uint64(data[end:]); sum != 0 && sum != rdb.Checksum(data[:end]) {
		return 0, errors.New("the checksum is wrong: the file is damaged")
	}
	return version, nil
}

// readVersion reads the digits of the version behind the magic word.
func readVersion(data []byte) (rdb.Version, error) {
	text := bytes.TrimPrefix(bytes.TrimPrefix(data[:headerSize], []byte(magic)), []byte(valkeyMagic))
	version, ok := num.ParseInt(bytes.TrimLeft(text, "0"))
	if v := rdb.Version(version); ok && version > 0 && (v <= rdb.Redis74 || v == rdb.Valkey9) {
		return v, nil
	}
	return 0, fmt.Errorf("version %q is not supported, only 1 to %d and %d", text, rdb.Redis74, rdb.Valkey9)
}

func (r *reader) unknownKey() Key { return Key{DB: r.db, Idle: -1, Freq: -1} }

// entry reads what follows its first byte, and reports whether that is the end of the file.
func (r *reader) entry(first byte) (end bool, err error) {
	switch first {
	case opEnd:
		return !r.Failed(), nil
	case opDatabase:
		r.db = int(min(r.Length(), math.MaxInt32))
		r.next = r.unknownKey()
	case opExpire:
		r.next.Expires, r.next.When = true, r.Int(4)*1000
	case opExpireMs:
		r.next.Expires, r.next.When = true, r.Int(8)
	case opIdle:
		r.next.Idle = int64(min(r.Length(), math.MaxInt32))
	case opFreq:
		r.next.Freq = int(r.Byte())
	case opAux:
		r.String()
		r.String()
	case opResize:
		r.Length()
		r.Length()
	case opSlot:
		r.Length()
		r.Length()
		r.Length()
	case opFunction:
		r.file.Functions = append(r.file.Functions, string(r.String()))
	case opFunctionBeta:
		return false, errors.New("it has a function library in the form of a release candidate of Redis 7.0")
	case opModule:
		return false, errors.New("it has data of a module")
	default:
		return false, r.key(first)
	}
	return false, nil
}

// key reads a key with its value.
func (r *reader) key(valueType byte) error {
	k := r.next
	k.Name = r.String()
	if r.Failed() {
		return errCut
	}
	k.Value = dump.DecodeFile(r.Reader, r.version, valueType, r.thresholds)
	switch {
	case r.Failed():
		return fmt.Errorf("the value of key %q is invalid", k.Name)
	case k.Value == nil:
		return fmt.Errorf("key %q has the type %d, which is not supported", k.Name, valueType)
	}
	r.file.Keys = append(r.file.Keys, k)
	r.next = r.unknownKey()
	return nil
}
