package compat

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// Encoders of values that scripts unpack: struct of Lua, as far as Redisson uses it (little endian; L of 8 bytes, I of
// 4, h of 2, B of one, d a double, f a float, c0 a string whose length is the number before it), and MessagePack.

// structLetters returns the values in a format; s is a string.
func structLetters(format string) []byte {
	return []byte(strings.ReplaceAll(format, "c0", "s"))
}

// structResults returns the values that unpacking a format returns, without the lengths of strings.
func structResults(format string) []byte {
	letters := structLetters(format)
	var results []byte
	for i, letter := range letters {
		if i+1 == len(letters) || letters[i+1] != 's' {
			results = append(results, letter)
		}
	}
	return results
}

// structPart returns a name for result i of unpacking a format.
func structPart(format string, i int) string { return format + ":" + strconv.Itoa(i) }

// packStruct packs a value for each result.
func packStruct(format string, value func(i int) string) string {
	letters := structLetters(format)
	var b []byte
	result := 0
	for i, letter := range letters {
		if i+1 < len(letters) && letters[i+1] == 's' {
			continue // a length, written with its text
		}
		text := value(result)
		result++
		if letter == 's' {
			b = appendStructNumber(b, letters[i-1], float64(len(text)))
			b = append(b, text...)
			continue
		}
		n, _ := strconv.ParseFloat(text, 64)
		b = appendStructNumber(b, letter, n)
	}
	return string(b)
}

func appendStructNumber(b []byte, letter byte, n float64) []byte {
	switch letter {
	case 'd':
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(n))
	case 'f':
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(n)))
	case 'L':
		return binary.LittleEndian.AppendUint64(b, uint64(int64(n)))
	case 'I':
		return binary.LittleEndian.AppendUint32(b, uint32(int64(n)))
	case 'h':
		return binary.LittleEndian.AppendUint16(b, uint16(int64(n)))
	}
	return append(b, byte(int64(n)))
}

// packMessage appends nil, bool, int64, string, []any or map[string]any as MessagePack; the keys of maps are sorted.
func packMessage(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, 0xc0)
	case bool:
		if v {
			return append(b, 0xc3)
		}
		return append(b, 0xc2)
	case int64:
		return binary.BigEndian.AppendUint64(append(b, 0xd3), uint64(v))
	case string:
		return append(binary.BigEndian.AppendUint16(append(b, 0xda), uint16(len(v))), v...)
	case []any:
		b = binary.BigEndian.AppendUint16(append(b, 0xdc), uint16(len(v)))
		for _, e := range v {
			b = packMessage(b, e)
		}
		return b
	case map[string]any:
		b = binary.BigEndian.AppendUint16(append(b, 0xde), uint16(len(v)))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			b = packMessage(packMessage(b, key), v[key])
		}
		return b
	}
	panic(fmt.Sprintf("no MessagePack for %T", v))
}

func TestStructAndMsgpack_AreReadByRedis(t *testing.T) {
	packed := packStruct("dLc0BBc0Ih", func(i int) string { return []string{"1.5", "text", "7", "b", "9", "-2"}[i] })
	require.Equal(t, "dsBsIh", string(structResults("dLc0BBc0Ih")))
	message := packMessage(nil, map[string]any{"a": []any{int64(-3), nil, "x", true, false}, "b": map[string]any{}})
	for _, addr := range []string{startReference(t), startTarget(t)} {
		c := dial(t, addr)
		got := c.do(t, "EVAL", "local d, s, n, x, i, h = struct.unpack('<dLc0BBc0Ih', ARGV[1]) return {d..'', s, n, x, i, h}",
			"0", packed)
		require.Equal(t, `["1.5", "text", :7, "b", :9, :-2]`, got.String())
		got = c.do(t, "EVAL", "return cjson.encode(cmsgpack.unpack(ARGV[1]).a)", "0", string(message))
		require.Equal(t, `"[-3,null,\"x\",true,false]"`, got.String())
	}
}
