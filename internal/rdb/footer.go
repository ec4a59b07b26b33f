package rdb

import (
	"encoding/binary"
	"errors"
	"hash/crc64"
)

// ErrFooter is Redis' error for a payload of a newer version, or with a wrong checksum.
var ErrFooter = errors.New("ERR DUMP payload version or checksum are wrong")

// footerSize is the size of the version, two bytes, and the checksum, eight bytes. Both are in little endian, and the
// checksum covers the version, too.
const footerSize = 2 + 8

var crcTable = crc64.MakeTable(0x95ac9329ac4bc9b5)

// Checksum is the CRC-64 of Redis (that of Jones): nothing is inverted before or after.
func Checksum(b []byte) uint64 { return ^crc64.Update(^uint64(0), crcTable, b) }

// Seal appends the footer to a part of an RDB file, which makes it a payload of DUMP or FUNCTION DUMP.
func Seal(piece []byte, v Version) []byte {
	piece = binary.LittleEndian.AppendUint16(piece, uint16(v))
	return binary.LittleEndian.AppendUint64(piece, Checksum(piece))
}

// Unchecked says what of a footer is not checked.
type Unchecked uint8

// The parts of a footer that may be left unchecked.
const (
	UncheckedSum     Unchecked = 1 << iota // DEBUG SET-SKIP-CHECKSUM-VALIDATION
	UncheckedVersion                       // rdb-version-check
)

// Open removes the footer of a payload that a server of version v gets, and returns the version that it names.
func Open(payload []byte, v Version, u Unchecked) (piece []byte, written Version, err error) {
	end := len(payload) - footerSize
	if end < 0 {
		return nil, 0, ErrFooter
	}
	written = Version(binary.LittleEndian.Uint16(payload[end:]))
	if !v.Reads(written) && (u&UncheckedVersion == 0 || !v.tries(written)) {
		return nil, 0, ErrFooter
	}
	if u&UncheckedSum == 0 && binary.LittleEndian.Uint64(payload[end+2:]) != Checksum(payload[:end+2]) {
		return nil, 0, ErrFooter
	}
	return payload[:end], written, nil
}
