package lualib

import (
	"fmt"
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// cjson looks at the keys of a table to decide whether it is an array, and writes an object in the order of pairs,
// which scripts can see: so both walk through the table as Lua does. The empty table is an object, and a list with a
// few holes an array with nulls.

// encodeSlots is the number of stack slots that cjson needs for each level of nesting; the limit of the Lua stack so
// bounds the depth, too.
const encodeSlots = 3

// jsonEncoder writes one value. It has no metamethods: a table is written as it is.
type jsonEncoder struct {
	library *library
	config  *jsonConfig
	L       *lua.LState
	out     []byte
	used    int // slots of the Lua stack that cjson would use
}

// encode is cjson.encode(v). An error drops what was written, and the buffer with it.
func (j *json) encode(L *lua.LState) int {
	if L.GetTop() != 1 {
		argError(L, 1, "expected 1 argument")
	}
	e := jsonEncoder{library: j.library, config: j.settings.current.Load(), L: L, out: j.library.takeBuffer(), used: 1}
	e.value(L.Get(1), 0)
	return j.library.pushBuffer(L, e.out)
}

// value writes a value at some depth. nil and cjson.null are null; functions and coroutines are an error.
func (e *jsonEncoder) value(v lua.LValue, depth int) {
	e.library.tick(e.L)
	switch v := v.(type) {
	case lua.LString:
		e.string(string(v))
	case lua.LNumber:
		e.number(float64(v))
	case lua.LBool:
		e.out = append(e.out, v.String()...)
	case *lua.LTable:
		e.table(v, depth+1)
	case *lua.LNilType:
		e.null()
	default:
		if v != Null {
			e.fail(v, "type not supported")
		}
		e.null()
	}
}

func (e *jsonEncoder) null() { e.out = append(e.out, "null"...) }

// fail raises the error for a value that JSON can't have.
func (e *jsonEncoder) fail(v lua.LValue, reason string) {
	raise(e.L, "Cannot serialise %s: %s", v.Type().String(), reason)
}

// number writes a number with at most the digits of the settings; NaN and the infinities, which JSON does not know, as
// the settings say.
func (e *jsonEncoder) number(f float64) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		switch {
		case e.config.encodeInvalid == invalidOff:
			e.fail(lua.LNumber(f), "must not be NaN or Inf")
		case e.config.encodeInvalid == invalidNull:
			e.null()
			return
		case math.IsNaN(f):
			f = positiveNaN
		}
	}
	e.out = appendShort(e.out, f, e.config.numberPrecision)
}

// table writes an array if there is at least one element and all keys are positive integers, else an object: the empty
// table is {}.
func (e *jsonEncoder) table(t *lua.LTable, depth int) {
	if depth > e.config.encodeMaxDepth || e.used+encodeSlots > maxStack {
		raise(e.L, "Cannot serialise, excessive nesting (%d)", depth)
	}
	e.library.checkLength(e.L, len(e.out))
	if n := e.arrayLength(t); n > 0 {
		e.array(t, n, depth)
	} else {
		e.object(t, depth)
	}
}

// arrayLength returns the largest index of an array, or -1 for an object. A sparse array is an error, or an object by
// the settings. The arithmetic is that of int in C.
func (e *jsonEncoder) arrayLength(t *lua.LTable) int {
	largest, items := int32(0), int32(0)
	for f := luafront.StartFields(t); f.Next(); {
		n, ok := f.Key.(lua.LNumber)
		if !ok || n < 1 || n != lua.LNumber(math.Floor(float64(n))) {
			return -1
		}
		if n > lua.LNumber(largest) {
			largest = toCInt(float64(n))
		}
		items++
	}
	if !e.isSparse(largest, items) {
		return int(largest)
	}
	if e.config.sparseConvert == 0 {
		e.fail(t, "excessively sparse array")
	}
	return -1
}

// isSparse reports whether an array would be mostly null: see jsonConfig.
func (e *jsonEncoder) isSparse(largest, items int32) bool {
	c := e.config
	return c.sparseRatio > 0 && largest > items*int32(c.sparseRatio) && largest > int32(c.sparseSafe)
}

// array writes t[1] to t[n]; holes become null. One stack slot would be in use: the element.
func (e *jsonEncoder) array(t *lua.LTable, n, depth int) {
	e.used++
	e.out = append(e.out, '[')
	for i := 1; i <= n; i++ {
		if i > 1 {
			e.out = append(e.out, ',')
		}
		e.value(luafront.RawGetInt(t, i), depth)
	}
	e.out = append(e.out, ']')
	e.used--
	e.library.checkLength(e.L, len(e.out))
}

// object writes keys and values in the order of the table. Two stack slots would be in use: the key and the value.
func (e *jsonEncoder) object(t *lua.LTable, depth int) {
	e.used += 2
	e.out = append(e.out, '{')
	first := true
	for f := luafront.StartFields(t); f.Next(); {
		if !first {
			e.out = append(e.out, ',')
		}
		first = false
		e.key(f.Key)
		e.value(f.Value, depth)
	}
	e.out = append(e.out, '}')
	e.used -= 2
}

// key writes the key of an object with its colon; numbers become strings. Other keys are an error.
func (e *jsonEncoder) key(k lua.LValue) {
	switch k := k.(type) {
	case lua.LString:
		e.string(string(k))
		e.out = append(e.out, ':')
	case lua.LNumber:
		e.out = append(e.out, '"')
		e.number(float64(k))
		e.out = append(e.out, `":`...)
	default:
		e.fail(k, "table key must be a number or string")
	}
}

// string writes a string, in pieces, as each byte may become six.
func (e *jsonEncoder) string(s string) {
	const piece = 64 << 10
	e.out = append(e.out, '"')
	for len(s) > piece {
		e.out = appendEscaped(e.out, s[:piece])
		s = s[piece:]
		e.library.checkLength(e.L, len(e.out))
	}
	e.out = append(appendEscaped(e.out, s), '"')
	e.library.checkLength(e.L, len(e.out))
}

// appendEscaped writes the bytes of a string. Control characters, quotes, both slashes and DEL are escaped; all others
// pass, be they UTF-8 or not.
func appendEscaped(out []byte, s string) []byte {
	start := 0
	for i := range len(s) {
		if escape := jsonEscapes[s[i]]; escape != "" {
			out = append(append(out, s[start:i]...), escape...)
			start = i + 1
		}
	}
	return append(out, s[start:]...)
}

// jsonEscapes are the escapes of all bytes that need one, by byte.
var jsonEscapes = makeJSONEscapes()

func makeJSONEscapes() (escapes [256]string) {
	for c := range 32 {
		escapes[c] = fmt.Sprintf(`\u%04x`, c)
	}
	escapes[127] = `\u007f`
	for c, letter := range map[byte]string{
		'\b': "b", '\t': "t", '\n': "n", '\f': "f", '\r': "r", '"': `"`, '/': "/", '\\': `\`,
	} {
		escapes[c] = `\` + letter
	}
	return escapes
}
