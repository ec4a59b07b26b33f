package load

import (
	"bytes"
	"strconv"
)

// request is an encoded command with the positions of the number of its key.
type request struct {
	bytes []byte
	args  [][]byte // the arguments of the command, which are parts of bytes
	keys  []int
}

// A request is encoded once. For another key only its digits are overwritten, in place, so that the generator spends
// almost no time on encoding: markers are replaced by as many digits, so no length changes.

// newRequest encodes args for the worker of this number. Without args the request is empty: the worker only waits for a
// message.
func newRequest(args []string, holder int) request {
	if len(args) == 0 {
		return request{}
	}
	raw, words := encode(args)
	for _, at := range places(raw, HolderDigits) {
		PutDecimal(raw[at:at+len(HolderDigits)], holder)
	}
	return request{bytes: raw, args: words, keys: places(raw, KeyDigits)}
}

// setKey writes the number to every position of the number of the key.
func (r request) setKey(number int) {
	for _, at := range r.keys {
		PutDecimal(r.bytes[at:at+len(KeyDigits)], number)
	}
}

// encode returns a command in RESP, and its arguments as parts of that.
func encode(args []string) (raw []byte, words [][]byte) {
	raw = appendLength(nil, '*', len(args))
	var ends []int
	for _, arg := range args {
		raw = appendLength(raw, '$', len(arg))
		raw = append(raw, arg...)
		ends = append(ends, len(raw))
		raw = append(raw, "\r\n"...)
	}
	for i, end := range ends {
		words = append(words, raw[end-len(args[i]):end:end])
	}
	return raw, words
}

func appendLength(raw []byte, kind byte, n int) []byte {
	return append(strconv.AppendInt(append(raw, kind), int64(n), 10), "\r\n"...)
}

// places returns the positions of the marker in raw. Markers are of characters that no other argument has.
func places(raw []byte, marker string) []int {
	var found []int
	for at := 0; ; at += len(marker) {
		next := bytes.Index(raw[at:], []byte(marker))
		if next < 0 {
			return found
		}
		at += next
		found = append(found, at)
	}
}

// PutDecimal writes the decimal number to digits, with leading zeros; higher digits that do not fit are dropped.
func PutDecimal(digits []byte, number int) {
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = byte('0' + number%10)
		number /= 10
	}
}
