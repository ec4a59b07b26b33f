package lualib

import (
	"errors"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/require"
)

// callSafely calls a library function and fails on a Go panic; errors of Lua are fine. It returns the first result.
func callSafely(t *testing.T, L *lua.LState, name string, args ...lua.LValue) (lua.LValue, bool) {
	L.Push(globalNamed(L, name))
	for _, v := range args {
		L.Push(v)
	}
	if err := L.PCall(len(args), 1, nil); err != nil {
		var fault *lua.ApiError
		require.True(t, errors.As(err, &fault))
		require.Equal(t, lua.ApiErrorRun, fault.Type, "%s%q: %v", name, args, err)
		return lua.LNil, false
	}
	v := L.Get(-1)
	L.Pop(1)
	return v, true
}

// newFuzzState stops long calls, so that no input hangs.
func newFuzzState(t *testing.T) *lua.LState {
	steps := 0
	return newTestState(t, &Options{MaxString: 1 << 20, Interrupt: func() error {
		if steps++; steps > 20 {
			return errors.New("too long")
		}
		return nil
	}})
}

func FuzzCJSON_Decode(f *testing.F) {
	for _, text := range []string{`{"a":[1,2.5e3,null,true,"\ud83d\ude00"]}`, `[[[`, `"\u12`, "-inf", "1\x00",
		`{"1":nan}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		L := newFuzzState(t)
		v, ok := callSafely(t, L, "cjson.decode", lua.LString(text))
		if !ok {
			return
		}
		runScript(t, L, "cjson.encode_invalid_numbers(true)")
		encoded, ok := callSafely(t, L, "cjson.encode", v)
		if !ok {
			return
		}
		_, ok = callSafely(t, L, "cjson.decode", encoded)
		require.True(t, ok, "what was decoded from %q is encoded as %q", text, encoded)
	})
}

func FuzzMessagePack_Unpack(f *testing.F) {
	for _, data := range []string{"\x01\xa1a", "\x92\x90\x81\x01\x02", "\xdd\xff\xff\xff\xff",
		"\xdf\x00\x00\x00\x01\xc0\x01", "\xcb"} {
		f.Add(data, 0, 2)
	}
	f.Fuzz(func(t *testing.T, data string, offset, limit int) {
		L := newFuzzState(t)
		v, ok := callSafely(t, L, "cmsgpack.unpack", lua.LString(data))
		callSafely(t, L, "cmsgpack.unpack_one", lua.LString(data), lua.LNumber(offset))
		callSafely(t, L, "cmsgpack.unpack_limit", lua.LString(data), lua.LNumber(limit), lua.LNumber(offset))
		if ok {
			callSafely(t, L, "cmsgpack.pack", v)
		}
	})
}

func FuzzStruct(f *testing.F) {
	f.Add("<bBhHiIlLTfd", strings.Repeat("\x01", 60), 1)
	f.Add("!8bi16c0", "\x03abcdefghijklmnopqrstuvwxyz", 2)
	f.Add(">s c3 x i0", "a\x00bcdef", -1)
	f.Fuzz(func(t *testing.T, format, data string, offset int) {
		L := newFuzzState(t)
		callSafely(t, L, "struct.size", lua.LString(format))
		callSafely(t, L, "struct.unpack", lua.LString(format), lua.LString(data), lua.LNumber(offset))
		callSafely(t, L, "struct.pack", lua.LString(format), lua.LString(data), lua.LNumber(offset), lua.LString(data))
	})
}

func FuzzString_Patterns(f *testing.F) {
	for _, pattern := range []string{"(%a+)=(%d*)", "%b()", "%f[%w]%w+", "[^]a-z%]]-$", "()(.)%1", "^(a?)*-+", "[", "%"} {
		f.Add("key=12 (a(b)c) xx]", pattern, "%0<%1>")
	}
	f.Fuzz(func(t *testing.T, subject, pattern, replacement string) {
		L := newFuzzState(t)
		callSafely(t, L, "string.find", lua.LString(subject), lua.LString(pattern))
		callSafely(t, L, "string.match", lua.LString(subject), lua.LString(pattern))
		callSafely(t, L, "string.gsub", lua.LString(subject), lua.LString(pattern), lua.LString(replacement))
		callSafely(t, L, "string.format", lua.LString(pattern), lua.LString(subject), lua.LNumber(-1), lua.LNumber(2.5))
		callSafely(t, L, "tonumber", lua.LString(subject))
	})
}
