package luafront

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// concat executes OP_CONCAT: R(A) := R(B).. ... ..R(C). gopher-lua would format numbers in Go's shortest form instead
// of %.14g, and make strings of any length, which can exhaust the memory of the process.
func concat(L *lua.LState, inst uint32, base *vmFrame) int {
	m := MachineOf(L)
	if m == nil {
		return original[lua.OP_CONCAT](L, inst, base)
	}
	s := internals(L)
	first := s.currentFrame.LocalBase
	operands := s.reg.array[first+argB(inst) : first+argC(inst)+1]
	text, ok := m.joinStrings(L, operands)
	if ok {
		s.setRegister(argA(inst), lua.LString(text))
		return 0
	}
	// A metamethod may move the registers.
	operands = append([]lua.LValue(nil), operands...)
	s.setRegister(argA(inst), m.fold(L, operands))
	return 0
}

// joinStrings is the fast path, where all operands are strings.
func (m *Machine) joinStrings(L *lua.LState, operands []lua.LValue) (string, bool) {
	length := 0
	for _, v := range operands {
		text, ok := v.(lua.LString)
		if !ok {
			return "", false
		}
		length += len(text)
	}
	m.checkLength(L, length)
	if len(operands) == 2 {
		return string(operands[0].(lua.LString)) + string(operands[1].(lua.LString)), true
	}
	var b strings.Builder
	b.Grow(length)
	for _, v := range operands {
		b.WriteString(string(v.(lua.LString)))
	}
	return b.String(), true
}

// longString is the least length in bytes for Config.OnAlloc. A script needs many shorter strings to take much memory,
// which the owner then finds in time.
const longString = 4 << 10

// checkLength raises an error if a string would be too long, before it is made.
func (m *Machine) checkLength(L *lua.LState, length int) {
	if length > m.config.MaxString {
		L.RaiseError("string length overflow")
	}
	if length >= longString {
		m.config.OnAlloc(length)
	}
}

// fold joins operands from right to left: as many strings and numbers as there are at once, else two by a metamethod.
func (m *Machine) fold(L *lua.LState, operands []lua.LValue) lua.LValue {
	for len(operands) > 1 {
		last := len(operands) - 1
		n, texts := m.textsAtEnd(operands)
		if n > 1 {
			text, _ := m.joinStrings(L, texts)
			operands = append(operands[:last+1-n], lua.LString(text))
			continue
		}
		result := m.concatByHandler(L, last-1, operands[last-1], operands[last])
		operands = append(operands[:last-1], result)
	}
	return operands[0]
}

// textsAtEnd returns how many of the last operands are strings or numbers, and these as strings.
func (m *Machine) textsAtEnd(operands []lua.LValue) (int, []lua.LValue) {
	first := len(operands)
	for first > 0 {
		if kind := operands[first-1].Type(); kind != lua.LTString && kind != lua.LTNumber {
			break
		}
		first--
	}
	texts := make([]lua.LValue, 0, len(operands)-first)
	for _, v := range operands[first:] {
		text, _ := m.toText(v)
		texts = append(texts, lua.LString(text))
	}
	return len(texts), texts
}

// concatByHandler calls the metamethod of either operand, the left one first. index is the place of the left operand,
// for the message if neither has one.
func (m *Machine) concatByHandler(L *lua.LState, index int, left, right lua.LValue) lua.LValue {
	handler := L.GetMetaField(left, "__concat")
	if handler == lua.LNil {
		handler = L.GetMetaField(right, "__concat")
	}
	if handler.Type() != lua.LTFunction {
		badOperand := left
		if _, ok := m.toText(left); ok {
			index, badOperand = index+1, right
		}
		f := internals(L).currentFrame
		raise(L, lua.LString(where(f)+typeError(f, index, "concatenate", badOperand)))
	}
	L.Push(handler)
	L.Push(left)
	L.Push(right)
	L.Call(2, 1)
	result := L.Get(-1)
	L.Pop(1)
	return result
}
