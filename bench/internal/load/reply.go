package load

import (
	"bytes"
	"fmt"
)

// Replies are split, not decoded: the generator needs only their length and their first bytes.

// frame returns the length of the first RESP2 reply in buf with its line ends, 0 if it is incomplete.
func frame(buf []byte) (int, error) {
	end := bytes.IndexByte(buf, '\n') + 1
	if end == 0 {
		return 0, nil
	}
	switch buf[0] {
	case '+', '-', ':':
		return end, nil
	case '$':
		return bulk(buf, end), nil
	case '*':
		return array(buf, end)
	}
	return 0, fmt.Errorf("reply of a kind that isn't known here: %q", buf[:end])
}

// bulk returns the length of the bulk string whose first line ends at end, 0 if it is incomplete.
func bulk(buf []byte, end int) int {
	if buf[1] == '-' {
		return end
	}
	total := end + number(buf[1:end]) + len("\r\n")
	if total > len(buf) {
		return 0
	}
	return total
}

// array returns the length of the array whose first line ends at end, 0 if it is incomplete. A null array has no
// elements.
func array(buf []byte, end int) (int, error) {
	for range number(buf[1:end]) {
		size, err := frame(buf[end:])
		if err != nil || size == 0 {
			return 0, err
		}
		end += size
	}
	return end, nil
}

// number reads the decimal digits at the start of a line, 0 if there are none, as in the -1 of a null.
func number(line []byte) int {
	n := 0
	for _, digit := range line {
		if digit < '0' || digit > '9' {
			break
		}
		n = n*10 + int(digit-'0')
	}
	return n
}
