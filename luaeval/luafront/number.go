package luafront

import (
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// formatNumber writes a number by the %.14g of C. It and parseNumber are defaults of Config.
func formatNumber(n float64) string {
	switch {
	case math.IsInf(n, 1):
		return "inf"
	case math.IsInf(n, -1):
		return "-inf"
	case math.IsNaN(n) && math.Signbit(n):
		return "-nan"
	case math.IsNaN(n):
		return "nan"
	}
	return strconv.FormatFloat(n, 'g', 14, 64)
}

// parseNumber reads a number as luaO_str2d does: strtod with white space around.
func parseNumber(text string) (float64, bool) {
	text = strings.Trim(text, " \t\n\v\f\r")
	digits := strings.TrimLeft(text, "+-")
	if strings.ContainsAny(text, "_") || len(text)-len(digits) > 1 {
		return 0, false
	}
	if strings.HasPrefix(strings.ToLower(digits), "0x") && !strings.ContainsAny(digits, "pP") {
		text += "p0"
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil || math.IsInf(n, 0)
}

// toNumber converts an operand of arithmetic.
func (m *Machine) toNumber(v lua.LValue) (float64, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return m.config.ParseNumber(string(v))
	}
	return 0, false
}

// toText converts an operand of "..".
func (m *Machine) toText(v lua.LValue) (string, bool) {
	switch v := v.(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return m.config.FormatNumber(float64(v)), true
	}
	return "", false
}

// installArithmetic gives strings metamethods for arithmetic. gopher-lua would convert operands by Go's rules ('010' as
// octal, no infinity) and has its own messages. A metamethod costs nothing where both operands are numbers, as a
// wrapped instruction would.
func (m *Machine) installArithmetic(L *lua.LState) {
	mt, ok := L.GetMetatable(lua.LString("")).(*lua.LTable)
	if !ok {
		mt = NewTable(0, 0)
		L.SetMetatable(lua.LString(""), mt)
	}
	for event, operation := range operations {
		RawSetString(mt, event, L.NewFunction(m.arithmetic(event, operation)))
	}
}

// operations are the arithmetic events, by metamethod.
var operations = map[string]func(a, b float64) float64{
	"__add": func(a, b float64) float64 { return a + b },
	"__sub": func(a, b float64) float64 { return a - b },
	"__mul": func(a, b float64) float64 { return a * b },
	"__div": func(a, b float64) float64 { return a / b },
	"__mod": modulo,
	"__pow": math.Pow,
	"__unm": func(a, _ float64) float64 { return -a },
}

// modulo is the definition of Lua 5.1, which makes NaN of an infinite divisor.
func modulo(a, b float64) float64 { return a - math.Floor(a/b)*b }

// arithmetic returns the metamethod of strings for an event. If one of the operands is no number, the metamethod of the
// other one decides.
func (m *Machine) arithmetic(event string, operation func(a, b float64) float64) lua.LGFunction {
	return func(L *lua.LState) int {
		left, right := L.Get(1), L.Get(2)
		if event == "__unm" {
			right = left
		}
		a, okA := m.toNumber(left)
		b, okB := m.toNumber(right)
		if okA && okB {
			L.Push(lua.LNumber(operation(a, b)))
			return 1
		}
		if handler := otherHandler(L, event, left, right); handler != nil {
			L.Push(handler)
			L.Push(left)
			L.Push(right)
			L.Call(2, 1)
			return 1
		}
		failArithmetic(L, left, right, okA)
		return 0
	}
}

// otherHandler returns the metamethod of the operand that is not a string.
func otherHandler(L *lua.LState, event string, operands ...lua.LValue) *lua.LFunction {
	for _, v := range operands {
		if v.Type() == lua.LTString {
			continue
		}
		if handler, ok := L.GetMetaField(v, event).(*lua.LFunction); ok {
			return handler
		}
	}
	return nil
}

// failArithmetic names the first operand that is no number, at the instruction of the Lua function that calls the
// metamethod.
func failArithmetic(L *lua.LState, left, right lua.LValue, leftIsNumber bool) {
	index, badOperand := 0, left
	if leftIsNumber {
		index, badOperand = 1, right
	}
	f := internals(L).currentFrame.Parent
	raise(L, lua.LString(where(f)+typeError(f, index, "perform arithmetic on", badOperand)))
}
