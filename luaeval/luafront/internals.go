package luafront

import (
	"fmt"
	"reflect"
	"unsafe" // and for go:linkname

	lua "github.com/yuin/gopher-lua"
)

// This file has all that this package uses of the unexported parts of gopher-lua: the table of its instructions, and
// where a state has its registers and its frame. It is for the version in go.mod; checkLayout compares it with the
// version linked in, and if they differ no instruction is replaced and Verify fails.

// instruction executes one instruction; 1 ends the loop of the machine.
type instruction func(L *lua.LState, inst uint32, base *vmFrame) int

// jumpTable is the table of gopher-lua itself, for all states of the process.
//
//go:linkname jumpTable github.com/yuin/gopher-lua.jumpTable
var jumpTable [lua.OP_NOP + 1]instruction

// vmFrame is the beginning of callFrame, the call of a function. Registers are counted from LocalBase.
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

	array   []lua.LValue // the list; in a converted table with nil up to its size
	dict    map[lua.LValue]lua.LValue
	strdict map[string]lua.LValue
	keys    []lua.LValue   // keys of dict and strdict in the order in which they were set; nil in a converted table
	k2i     unsafe.Pointer // a map; in a converted table a *hashPart
}

// partsOf returns the fields of a table, converted or not.
func partsOf(table *lua.LTable) *vmTable { return (*vmTable)(unsafe.Pointer(table)) }

// internals returns the fields of a state.
func internals(L *lua.LState) *vmState { return (*vmState)(unsafe.Pointer(L)) }

// value returns a register or a constant of the running Lua function, by an RK operand.
func (s *vmState) value(rk int) lua.LValue {
	const constant = 1 << 8
	if rk&constant != 0 {
		return s.currentFrame.Fn.Proto.Constants[rk&^constant]
	}
	return s.register(rk)
}

// register returns a register of the running Lua function.
func (s *vmState) register(r int) lua.LValue {
	return s.reg.array[s.currentFrame.LocalBase+r]
}

// setRegister sets a register of the running Lua function, and the top of the stack behind it if it was below.
func (s *vmState) setRegister(r int, v lua.LValue) {
	i := s.currentFrame.LocalBase + r
	s.reg.array[i] = v
	if i >= s.reg.top {
		s.reg.top = i + 1
	}
}

// An instruction has 32 bits: the opcode in the highest 6, then A (8 bits), C (9) and B (9). Bx (18) is both of these,
// for a jump with an offset.
func opcode(inst uint32) int { return int(inst >> 26) }
func argA(inst uint32) int   { return int(inst>>18) & 0xff }
func argB(inst uint32) int   { return int(inst & 0x1ff) }
func argC(inst uint32) int   { return int(inst>>9) & 0x1ff }
func argBx(inst uint32) int  { return int(inst & 0x3ffff) }
func argJump(inst uint32) int {
	const zero = 1<<17 - 1
	return int(inst&0x3ffff) - zero
}

// layoutError is why no instruction can be replaced, nil if they can.
var layoutError = checkLayout()

// checkLayout compares the types above with those of gopher-lua.
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

// sameFields compares name, offset, size and kind of every field of a type above with the one of gopher-lua, which may
// have more fields behind.
func sameFields(expected, actual reflect.Type) error {
	for i := range expected.NumField() {
		f := expected.Field(i)
		g, ok := actual.FieldByName(f.Name)
		if !ok || f.Offset != g.Offset || f.Type.Size() != g.Type.Size() || !sameKind(f.Type, g.Type) {
			return fmt.Errorf("luafront: field %s of gopher-lua's %s is not where this version expects it", f.Name,
				actual.Name())
		}
	}
	return nil
}

// sameKind compares kinds; an unsafe.Pointer stands for any pointer or map.
func sameKind(expected, actual reflect.Type) bool {
	pointer := actual.Kind() == reflect.Pointer || actual.Kind() == reflect.Map
	return expected.Kind() == actual.Kind() || expected.Kind() == reflect.UnsafePointer && pointer
}
