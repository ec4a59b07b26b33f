package command

import (
	"encoding/binary"
	"errors"
	"hash/crc64"
	"strconv"

	"github.com/minilockd/minilockd/luaeval"
)

// The payload of FUNCTION DUMP is a piece of an RDB file: for each library a type and its source as a string, then the version
// of the format and a checksum.
const (
	rdbFunction   = 0xf5
	rdbVersion    = 10 // that of Redis 7.0
	payloadFooter = 2 + 8
)

var (
	errPayload        = errors.New("ERR DUMP payload version or checksum are wrong")
	errNotFunction    = errors.New("ERR given type is not a function")
	errLibraryPayload = errors.New("ERR Failed loading library payload")
)

var crcTable = crc64.MakeTable(0x95ac9329ac4bc9b5)

// checksum is CRC-64 as Redis has it: nothing is inverted before or after.
func checksum(b []byte) uint64 { return ^crc64.Update(^uint64(0), crcTable, b) }

func encodeLibraries(libraries []*luaeval.Library) []byte {
	var b []byte
	for _, lib := range libraries {
		b = append(b, rdbFunction)
		b = appendRDBLength(b, len(lib.Source))
		b = append(b, lib.Source...)
	}
	b = binary.LittleEndian.AppendUint16(b, rdbVersion)
	return binary.LittleEndian.AppendUint64(b, checksum(b))
}

// decodeLibraries returns the sources of the libraries.
func decodeLibraries(payload []byte) (sources []string, err error) {
	end := len(payload) - payloadFooter
	if end < 0 || binary.LittleEndian.Uint16(payload[end:]) > rdbVersion ||
		binary.LittleEndian.Uint64(payload[end+2:]) != checksum(payload[:end+2]) {
		return nil, errPayload
	}
	for rest := payload[:end]; len(rest) > 0; {
		if rest[0] != rdbFunction {
			return nil, errNotFunction
		}
		var source []byte
		var ok bool
		if source, rest, ok = cutRDBString(rest[1:]); !ok {
			return nil, errLibraryPayload
		}
		sources = append(sources, string(source))
	}
	return sources, nil
}

// appendRDBLength writes a length in as few bytes as it takes: 1, 2 or 5.
func appendRDBLength(b []byte, n int) []byte {
	switch {
	case n < 1<<6:
		return append(b, byte(n))
	case n < 1<<14:
		return append(b, 0x40|byte(n>>8), byte(n))
	}
	return binary.BigEndian.AppendUint32(append(b, 0x80), uint32(n))
}

// The kinds of strings that have no length of their own, by their first byte.
const (
	rdbInt8  = 0xc0
	rdbInt16 = 0xc1
	rdbInt32 = 0xc2
	rdbLZF   = 0xc3
)

// cutRDBString takes a string off the front: plain, compressed, or an integer in place of its digits.
func cutRDBString(b []byte) (s, rest []byte, ok bool) {
	if len(b) == 0 {
		return nil, nil, false
	}
	switch size := map[byte]int{rdbInt8: 1, rdbInt16: 2, rdbInt32: 4}[b[0]]; {
	case b[0] == rdbLZF:
		return cutLZF(b[1:])
	case size > 0:
		if len(b) <= size {
			return nil, nil, false
		}
		return strconv.AppendInt(nil, littleEndian(b[1:1+size]), 10), b[1+size:], true
	}
	n, b, ok := cutRDBLength(b)
	if !ok || n > uint64(len(b)) {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}

// littleEndian is a signed integer of any number of bytes up to eight.
func littleEndian(b []byte) int64 {
	var n uint64
	for i, c := range b {
		n |= uint64(c) << (8 * i)
	}
	unused := 64 - 8*len(b)
	return int64(n<<unused) >> unused
}

func cutRDBLength(b []byte) (n uint64, rest []byte, ok bool) {
	if len(b) == 0 {
		return 0, nil, false
	}
	first := b[0]
	b = b[1:]
	switch {
	case first < 0x40:
		return uint64(first), b, true
	case first < 0x80 && len(b) >= 1:
		return uint64(first&0x3f)<<8 | uint64(b[0]), b[1:], true
	case first == 0x80 && len(b) >= 4:
		return uint64(binary.BigEndian.Uint32(b)), b[4:], true
	case first == 0x81 && len(b) >= 8:
		return binary.BigEndian.Uint64(b), b[8:], true
	}
	return 0, nil, false
}

// cutLZF takes a compressed string off the front: its length, the length of its text, and the data.
func cutLZF(b []byte) (s, rest []byte, ok bool) {
	packed, b, ok := cutRDBLength(b)
	if !ok {
		return nil, nil, false
	}
	plain, b, ok := cutRDBLength(b)
	const most = 512 << 20
	if !ok || packed > uint64(len(b)) || plain > most {
		return nil, nil, false
	}
	s, ok = unpackLZF(b[:packed], int(plain))
	return s, b[packed:], ok
}

// unpackLZF undoes LZF: a control byte below 32 is followed by one more literal bytes than it says; others refer back to what
// is there already, by 13 bits of distance, and tell in the upper three bits, or behind a seven in the next byte, how much to
// repeat.
func unpackLZF(b []byte, size int) (out []byte, ok bool) {
	for len(b) > 0 {
		control := int(b[0])
		b = b[1:]
		if control < 1<<5 {
			if control++; control > len(b) {
				return nil, false
			}
			out, b = append(out, b[:control]...), b[control:]
			continue
		}
		length := control >> 5
		if length == 7 && len(b) > 0 {
			length += int(b[0])
			b = b[1:]
		}
		if len(b) == 0 {
			return nil, false
		}
		from := len(out) - (control&0x1f)<<8 - int(b[0]) - 1
		b = b[1:]
		if from < 0 || len(out)+length+2 > size {
			return nil, false
		}
		for range length + 2 { // byte by byte: what is repeated may overlap what is written
			out = append(out, out[from])
			from++
		}
	}
	return out, len(out) == size
}
