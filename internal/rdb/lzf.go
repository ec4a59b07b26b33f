package rdb

// LZF, the compression of RDB files, is a sequence of two kinds of pieces. A control byte below 32 is followed by one
// more literal bytes than it says; others refer back to what is there already, by 13 bits of distance, and tell in the
// upper three bits, or behind a seven in the next byte, how much to repeat.
const (
	lzfMaxLiteral  = 1 << 5
	lzfMaxDistance = 1 << 13
	lzfMaxRepeat   = 1<<8 + 1<<3
	lzfLong        = 7 // the length goes on in the next byte
)

// decompressLZF decompresses LZF to a text of the given size. Memory is allocated as the text is found, so that a wrong
// size costs nothing. It fails if a reference points before the start of the text, or if the size is wrong.
func decompressLZF(b []byte, size int) (out []byte, ok bool) {
	for len(b) > 0 {
		control := int(b[0])
		b = b[1:]
		if control < lzfMaxLiteral {
			if control++; control > len(b) {
				return nil, false
			}
			out, b = append(out, b[:control]...), b[control:]
			continue
		}
		length := control >> 5
		if length == lzfLong && len(b) > 0 {
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
