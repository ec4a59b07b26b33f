package lualib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// This is lua-cmsgpack 0.4.0. Numbers without a fraction are packed as integers, strings as raw bytes, and a table as
// an array if its keys are 1 to n, else as a map. pack writes its arguments one after the other, without a frame, and
// unpack reads values until its input ends.

// The first bytes of MessagePack values. Binary and extension types came later than the version in Redis.
const (
	mpFixMap    = 0x80 // and up to 15 pairs
	mpFixArray  = 0x90 // and up to 15 elements
	mpFixString = 0xa0 // and up to 31 bytes
	mpNil       = 0xc0
	mpFalse     = 0xc2
	mpTrue      = 0xc3
	mpFloat32   = 0xca
	mpFloat64   = 0xcb
	mpUint8     = 0xcc // then of 16, 32 and 64 bits
	mpInt8      = 0xd0 // then of 16, 32 and 64 bits
	mpString8   = 0xd9 // length of 8, then 16 and 32 bits
	mpArray16   = 0xdc // length of 16, then 32 bits
	mpMap16     = 0xde // length of 16, then 32 bits
	mpNegative  = 0xe0 // -32 to -1
)

// newMessagePack returns the cmsgpack table.
func (l *library) newMessagePack(L *lua.LState) *lua.LTable {
	module := newModule(L, []function{
		{"pack", l.messagePack}, {"unpack", l.messageUnpack}, {"unpack_limit", l.messageUnpackLimit},
		{"unpack_one", l.messageUnpackOne},
	})
	luafront.RawSetString(module, "_NAME", lua.LString("cmsgpack"))
	luafront.RawSetString(module, "_VERSION", lua.LString("lua-cmsgpack 0.4.0"))
	luafront.RawSetString(module, "_COPYRIGHT", lua.LString("Copyright (C) 2012, Salvatore Sanfilippo"))
	luafront.RawSetString(module, "_DESCRIPTION", lua.LString("MessagePack C implementation for Lua"))
	return module
}
