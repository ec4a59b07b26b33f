package resp

import (
	"strconv"

	"github.com/tidwall/redcon"

	"github.com/minilockd/minilockd/internal/buffer"
)

// Protocol versions of a connection.
const (
	RESP2 = 2
	RESP3 = 3
)

// maxBulkFrame is what goes around a bulk string at most: its length and two line ends.
const maxBulkFrame = 32

// AppendCommand appends a command as clients send it.
func AppendCommand(dst []byte, args ...[]byte) []byte {
	dst = AppendArrayHeader(dst, len(args))
	for _, arg := range args {
		dst = redcon.AppendBulk(dst, arg)
	}
	return dst
}

// AppendArrayHeader begins an array of n elements, which are to be appended one after the other.
func AppendArrayHeader(dst []byte, n int) []byte { return redcon.AppendArray(dst, n) }

// Append appends v, encoded in the given protocol version, to a buffer.
func Append(dst []byte, v Value, proto int) []byte {
	switch v.kind {
	case KindNone:
		return dst
	case KindNull, KindNullArray:
		return appendNull(dst, v.kind, proto)
	case KindStatus:
		return appendLine(dst, '+', v.Text())
	case KindError:
		return appendLine(dst, '-', v.Text())
	case KindInt:
		return redcon.AppendInt(dst, v.num)
	case KindBulk:
		if n := len(v.Text()); n > buffer.Large {
			dst = buffer.Grow(dst, n+maxBulkFrame)
		}
		return redcon.AppendBulkString(dst, v.Text())
	case KindEncoded:
		return append(dst, v.Text()...)
	case KindDouble, KindBool, KindBigNumber, KindDecimal, KindVerbatim:
		return appendRESP3(dst, v, proto)
	default:
		return appendAggregate(dst, v, proto)
	}
}

func appendNull(dst []byte, kind Kind, proto int) []byte {
	switch {
	case proto == RESP3:
		return append(dst, "_\r\n"...)
	case kind == KindNullArray:
		return append(dst, "*-1\r\n"...)
	default:
		return append(dst, "$-1\r\n"...)
	}
}

// appendLine writes a status or error; a line break inside would desynchronise the client, so Redis sends a space.
func appendLine(dst []byte, prefix byte, s string) []byte {
	dst = append(dst, prefix)
	start := len(dst)
	dst = append(dst, s...)
	for i := start; i < len(dst); i++ {
		if dst[i] == '\r' || dst[i] == '\n' {
			dst[i] = ' '
		}
	}
	return append(dst, '\r', '\n')
}

// appendRESP3 writes the scalar kinds that only RESP3 has.
func appendRESP3(dst []byte, v Value, proto int) []byte {
	switch {
	case v.kind == KindDouble && proto == RESP3:
		return append(v.AppendDouble(append(dst, ',')), '\r', '\n')
	case v.kind == KindDouble:
		return appendDoubleBulk(dst, v)
	case v.kind == KindBool && proto == RESP3:
		if v.num != 0 {
			return append(dst, "#t\r\n"...)
		}
		return append(dst, "#f\r\n"...)
	case v.kind == KindBool:
		return redcon.AppendInt(dst, v.num)
	case v.kind == KindBigNumber && proto == RESP3:
		return appendLine(dst, '(', v.Text())
	case v.kind == KindDecimal && proto == RESP3:
		return appendLine(dst, ',', v.Text())
	case v.kind == KindVerbatim && proto == RESP3:
		dst = strconv.AppendInt(append(dst, '='), int64(len(v.Text())), 10)
		return append(append(append(dst, '\r', '\n'), v.Text()...), '\r', '\n')
	case v.kind == KindVerbatim:
		return redcon.AppendBulkString(dst, v.Text()[len("txt:"):])
	default:
		return redcon.AppendBulkString(dst, v.Text())
	}
}

func appendAggregate(dst []byte, v Value, proto int) []byte {
	elems := v.Elems()
	switch {
	case v.kind == KindSeries:
	case v.kind == KindPairs && proto == RESP3, v.kind == KindPairMap && proto == RESP2:
		return appendPairs(dst, elems, proto)
	case proto == RESP2 || v.kind == KindArray:
		dst = redcon.AppendArray(dst, len(elems))
	case v.kind == KindSet:
		dst = appendHeader(dst, '~', len(elems))
	case v.kind == KindMap, v.kind == KindPairMap:
		dst = appendHeader(dst, '%', len(elems)/2)
	case v.kind == KindPush:
		dst = appendHeader(dst, '>', len(elems))
	}
	for _, elem := range elems {
		if len(dst) >= buffer.Large && cap(dst)-len(dst) < maxShort { // append alone would copy a long reply many times
			dst = buffer.Grow(dst, len(dst))
		}
		dst = Append(dst, elem, proto)
	}
	return dst
}

// maxShort is room for most elements of an aggregate.
const maxShort = 1 << 10

func appendPairs(dst []byte, elems []Value, proto int) []byte {
	dst = redcon.AppendArray(dst, len(elems)/2)
	for i := 0; i+1 < len(elems); i += 2 {
		dst = redcon.AppendArray(dst, 2)
		dst = Append(dst, elems[i], proto)
		dst = Append(dst, elems[i+1], proto)
	}
	return dst
}

func appendHeader(dst []byte, prefix byte, n int) []byte {
	return append(strconv.AppendInt(append(dst, prefix), int64(n), 10), '\r', '\n')
}

func appendDoubleBulk(dst []byte, v Value) []byte {
	var buf [32]byte
	return redcon.AppendBulk(dst, v.AppendDouble(buf[:0]))
}
