package luafront

import (
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Messages name a place and, where they can, a variable: "user_script:1: attempt to index local 'x' (a nil value)".
// gopher-lua knows the place of an instruction, but not the names of its operands, which the parser has left in the
// prototype (addNames).

// where returns the position of a frame as messages begin with it: "user_script:1: ", "" for a Go function.
func where(f *vmFrame) string {
	source, line, ok := position(f)
	if !ok {
		return ""
	}
	return source + ":" + itoa(line) + ": "
}

// position returns the source and the line of the instruction that a frame executes; false for a Go function.
func position(f *vmFrame) (source string, line int, ok bool) {
	if f == nil || f.Fn.IsG || f.Pc == 0 || f.Pc > len(f.Fn.Proto.Code) {
		return "", 0, false
	}
	proto := f.Fn.Proto
	return proto.SourceName, proto.DbgSourcePositions[f.Pc-1], true
}

// Where returns the position that luaL_where gives: of the running function at level 0, of its caller at level 1 and so
// on; "user_script:1: ", or "" for a Go function, a caller that a tail call replaced, or no such level.
func Where(L *lua.LState, level int) string {
	f := internals(L).currentFrame
	for ; f != nil && level > 0; level-- {
		if !f.Fn.IsG {
			if level <= f.TailCall {
				return ""
			}
			level -= f.TailCall
		}
		f = f.Parent
	}
	return where(f)
}

// calledAs returns the name that the instruction which called the running Go function has for it: "?" if a Go function
// or a metamethod did.
func calledAs(L *lua.LState) operand {
	f := internals(L).currentFrame.Parent
	if f == nil || f.Fn.IsG || f.Pc == 0 {
		return operand{name: "?"}
	}
	proto, pc := f.Fn.Proto, f.Pc-1
	switch opcode(proto.Code[pc]) {
	case lua.OP_CALL, lua.OP_TAILCALL:
		if o := operandAt(proto, pc, 0); o.kind != nameNone {
			return o
		}
	case lua.OP_TFORLOOP:
		return operand{nameLocal, "(for generator)"}
	}
	return operand{name: "?"}
}

// ArgError raises what luaL_argerror does for argument n of the running Go function, counted from 1:
// "user_script:1: bad argument #1 to 'error' (number expected, got table)". In a method call the object is not counted.
func ArgError(L *lua.LState, n int, message string) {
	name := calledAs(L)
	if name.kind == nameMethod {
		if n--; n == 0 {
			raise(L, lua.LString(Where(L, 1)+"calling '"+name.name+"' on bad self ("+message+")"))
		}
	}
	raise(L, lua.LString(Where(L, 1)+"bad argument #"+itoa(n)+" to '"+name.name+"' ("+message+")"))
}

// typeError makes the error for an operand of the instruction that a frame executes.
func typeError(f *vmFrame, index int, operation string, badOperand lua.LValue) string {
	var o operand
	if f != nil && !f.Fn.IsG {
		o = operandAt(f.Fn.Proto, f.Pc-1, index)
	}
	if o.kind == nameNone {
		return "attempt to " + operation + " a " + badOperand.Type().String() + " value"
	}
	return "attempt to " + operation + " " + kindTexts[o.kind] + " '" + o.name + "' (a " + badOperand.Type().String() +
		" value)"
}

// explain replaces the message of an error of the machine of gopher-lua with that of Lua 5.1, with the name of the
// operand. The position stays.
func explain(s *vmState, text string) string {
	f := s.currentFrame
	head := where(f)
	body, ok := strings.CutPrefix(text, head)
	if head == "" || !ok {
		return text
	}
	inst := f.Fn.Proto.Code[f.Pc-1]
	for _, e := range explanations {
		if strings.HasPrefix(body, e.prefix) {
			return head + e.words(s, inst, body)
		}
	}
	return text
}

// explanations are prefixes of messages of gopher-lua, and the messages of Lua for them.
var explanations = []struct {
	prefix string
	words  func(s *vmState, inst uint32, body string) string
}{
	{"attempt to index a non-table object(", explainIndex},
	{"attempt to call a non-function object", explainCall},
	{"cannot perform ", explainArithmetic},
	{"__unm undefined", explainArithmetic},
	{"__len undefined", func(s *vmState, inst uint32, _ string) string {
		return typeError(s.currentFrame, 0, "get length of", s.register(argB(inst)))
	}},
	{"attempt to compare ", explainComparison},
	{"registry overflow", func(*vmState, uint32, string) string { return "stack overflow" }},
	{"too many recursions in ", func(_ *vmState, _ uint32, body string) string {
		return "loop in " + strings.TrimPrefix(body, "too many recursions in ")
	}},
}

// explainIndex names the object, unless the value at fault was reached through __index.
func explainIndex(s *vmState, inst uint32, body string) string {
	kind := body[strings.IndexByte(body, '(')+1 : strings.IndexByte(body, ')')]
	object, index := s.indexed(inst)
	if object == nil || object.Type().String() != kind || kind == "table" {
		return "attempt to index a " + kind + " value"
	}
	return typeError(s.currentFrame, index, "index", object)
}

// indexed returns the object whose field an instruction reads or writes, and which of its operands that is (see call
// and markTarget).
func (s *vmState) indexed(inst uint32) (lua.LValue, int) {
	switch opcode(inst) {
	case lua.OP_GETTABLE, lua.OP_GETTABLEKS:
		return s.register(argB(inst)), 0
	case lua.OP_SELF:
		return s.register(argB(inst)), 1
	case lua.OP_SETTABLE, lua.OP_SETTABLEKS:
		return s.register(argA(inst)), 1
	}
	return nil, 0
}

// explainCall names the value that was called. That of a generic for has no name in Lua.
func explainCall(s *vmState, inst uint32, body string) string {
	switch opcode(inst) {
	case lua.OP_CALL, lua.OP_TAILCALL:
		return typeError(s.currentFrame, 0, "call", s.register(argA(inst)))
	case lua.OP_TFORLOOP:
		return typeError(nil, 0, "call", s.register(argA(inst)))
	}
	return body
}

// explainArithmetic names the first operand that is no number.
func explainArithmetic(s *vmState, inst uint32, _ string) string {
	const operation = "perform arithmetic on"
	left := s.value(argB(inst))
	if opcode(inst) == lua.OP_UNM || left.Type() != lua.LTNumber {
		return typeError(s.currentFrame, 0, operation, left)
	}
	return typeError(s.currentFrame, 1, operation, s.value(argC(inst)))
}

// explainComparison has another form for two values of one type.
func explainComparison(_ *vmState, _ uint32, body string) string {
	left, right, _ := strings.Cut(strings.TrimPrefix(body, "attempt to compare "), " with ")
	if left == right {
		return "attempt to compare two " + left + " values"
	}
	return body
}

// Position returns where an error of Machine.PCall was raised: in the function that raised it or, if that was a Go
// function, in its caller. Redis shows it as "on @user_script:1".
func Position(err error) (source string, line int, ok bool) {
	place := ""
	switch err := err.(type) {
	case *lua.ApiError:
		place = err.StackTrace
	case *stopError:
		place = err.place
	}
	source, digits, ok := cutLast(place, ":")
	line, bad := strconv.Atoi(digits)
	return source, line, ok && bad == nil
}

// cutLast is strings.Cut at the last separator.
func cutLast(text, separator string) (before, after string, ok bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return "", "", false
	}
	return text[:i], text[i+len(separator):], true
}
