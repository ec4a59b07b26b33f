package luafront

import (
	"fmt"
	"reflect"
	"unsafe" // and for go:linkname

	lua "github.com/yuin/gopher-lua"
)

// This file has all that this package uses of gopher-lua's unexported parts: the table of its instructions, and where a
// state has its registers and its frame. It is for the version in go.mod; checkLayout compares it with the version
// linked in, and if they differ nothing is patched and Verify fails.

// instruction executes one instruction; 1 ends the machine's loop.
type instruction func(L *lua.LState, inst uint32, base *vmFrame) int

// jumpTable is gopher-lua's own table, for all states of the process.
//
//go:linkname jumpTable github.com/yuin/gopher-lua.jumpTable
var jumpTable [lua.OP_NOP + 1]instruction

// vmFrame is the beginning of callFrame.
type vmFrame struct {
	Idx        int
	Fn         *lua.LFunction
	Parent     *vmFrame
	Pc         int // of the next instruction
	Base       int
	LocalBase  int // register 0
	ReturnBase int
	NArgs      int
	NRet       int
	TailCall   int // callers that are gone by tail calls
}

// vmRegistry is the beginning of registry.
type vmRegistry struct {
	array []lua.LValue
	top   int
}

// vmState is the beginning of LState.
type vmState struct {
	G       *lua.Global
	Parent  *lua.LState
	Env     *lua.LTable
	Panic   func(*lua.LState)
	Dead    bool
	Options lua.Options

	stop         int32
	reg          *vmRegistry
	stack        any // an interface of gopher-lua
	alloc        unsafe.Pointer
	currentFrame *vmFrame
	wrapped      bool
	uvcache      unsafe.Pointer
	hasErrorFunc bool
	mainLoop     func(*lua.LState, *vmFrame)
}

// vmTable is LTable, with what this package keeps in it: see table.go.
type vmTable struct {
	Metatable lua.LValue

	array   []lua.LValue // the list; in one of our tables, with nil up to its size
	dict    map[lua.LValue]lua.LValue
	strdict map[string]lua.LValue
	keys    []lua.LValue   // keys of dict and strdict in the order in which they were set; nil in one of our tables
	k2i     unsafe.Pointer // a map; in one of our tables a *hashPart
}

func partsOf(table *lua.LTable) *vmTable { return (*vmTable)(unsafe.Pointer(table)) }

func internals(L *lua.LState) *vmState { return (*vmState)(unsafe.Pointer(L)) }

// value returns a register or a constant of the running Lua function, by an RK operand.
func (s *vmState) value(rk int) lua.LValue {
	const constant = 1 << 8
	if rk&constant != 0 {
		return s.currentFrame.Fn.Proto.Constants[rk&^constant]
	}
	return s.register(rk)
}

func (s *vmState) register(r int) lua.LValue {
	return s.reg.array[s.currentFrame.LocalBase+r]
}

func (s *vmState) setRegister(r int, v lua.LValue) {
	i := s.currentFrame.LocalBase + r
	s.reg.array[i] = v
	if i >= s.reg.top {
		s.reg.top = i + 1
	}
}

// Parts of an instruction.
func opcode(inst uint32) int { return int(inst >> 26) }
func argA(inst uint32) int   { return int(inst>>18) & 0xff }
func argB(inst uint32) int   { return int(inst & 0x1ff) }
func argC(inst uint32) int   { return int(inst>>9) & 0x1ff }
func argBx(inst uint32) int  { return int(inst & 0x3ffff) }
func argJump(inst uint32) int {
	const zero = 1<<17 - 1
	return int(inst&0x3ffff) - zero
}

// layoutError is why gopher-lua can't be patched, nil if it can.
var layoutError = checkLayout()

// checkLayout compares the types above with gopher-lua's.
func checkLayout() error {
	state := reflect.TypeFor[lua.LState]()
	if err := sameFields(reflect.TypeFor[vmState](), state); err != nil {
		return err
	}
	if err := sameFields(reflect.TypeFor[vmTable](), reflect.TypeFor[lua.LTable]()); err != nil {
		return err
	}
	reg, _ := state.FieldByName("reg")
	if err := sameFields(reflect.TypeFor[vmRegistry](), reg.Type.Elem()); err != nil {
		return err
	}
	frame, _ := state.FieldByName("currentFrame")
	return sameFields(reflect.TypeFor[vmFrame](), frame.Type.Elem())
}

// sameFields compares name, offset, size and kind of every field of our type with gopher-lua's.
func sameFields(mine, originals reflect.Type) error {
	for i := range mine.NumField() {
		f := mine.Field(i)
		g, ok := originals.FieldByName(f.Name)
		if !ok || f.Offset != g.Offset || f.Type.Size() != g.Type.Size() || !sameKind(f.Type, g.Type) {
			return fmt.Errorf("luafront: field %s of gopher-lua's %s is not where this version expects it", f.Name,
				originals.Name())
		}
	}
	return nil
}

func sameKind(mine, originals reflect.Type) bool {
	pointer := originals.Kind() == reflect.Pointer || originals.Kind() == reflect.Map
	return mine.Kind() == originals.Kind() || mine.Kind() == reflect.UnsafePointer && pointer
}
