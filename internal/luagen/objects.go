package luagen

import "fmt"

// Coroutines and metatables let a program leave an expression at places where it otherwise can't: in an operator, in an
// index, or in a call of pcall. Interpreters in which these are calls of their own have their faults there.

// objectStatement writes a statement that sets a metatable, or makes and runs a coroutine; within a coroutine also a
// yield.
func (g *generator) objectStatement(depth int) {
	switch {
	case g.inCoroutine && g.oneIn(2):
		g.write("L(coroutine.yield(%s, %s)) ", g.value("v", 1), g.number(1))
	case depth > 0 && g.oneIn(2):
		g.coroutine(depth - 1)
	default:
		g.metatable()
	}
}

// coroutine writes a coroutine and resumes it a few times, perhaps beyond its end. It may yield at several depths,
// yield as a tail call, or end with an error.
func (g *generator) coroutine(depth int) {
	g.names++
	name := fmt.Sprintf("c%d", g.names)
	kind := g.choose("wrap", "create")
	g.write("local %s = coroutine.%s(function(v0, ...) F() ", name, kind)
	outer := g.inCoroutine
	g.inCoroutine = true
	g.inFunction(true, func() {
		g.vars = append(g.vars, "v0")
		g.body(depth, 3)
		if g.oneIn(2) {
			g.write("L(coroutine.yield(%s)) ", g.value("v", 1))
			g.body(depth, 2)
		}
		g.write("%s end) ", g.choose("", "return v0", "return coroutine.yield(...)", "error('end')", "error({err = 'E'})"))
	})
	g.inCoroutine = outer
	for n := g.rnd.IntN(4); n >= 0; n-- {
		if kind == "wrap" {
			g.write("L(pcall(%s, %s, %s)) ", name, g.value("v", 1), g.number(1))
		} else {
			g.write("L(coroutine.resume(%s, %s)) L(coroutine.status(%s)) ", name, g.value("v", 1), name)
		}
	}
}

// metatable writes a metatable with some handlers, for a table in scope, or removes one. Each handler takes fuel, since
// handlers can call each other.
func (g *generator) metatable() {
	table := g.variable("t")
	if g.oneIn(5) {
		g.write("setmetatable(%s, nil) ", table)
		return
	}
	g.write("setmetatable(%s, {", table)
	g.inFunction(false, func() {
		g.vars = append(g.vars, "v0")
		for _, event := range []string{"index", "newindex", "call", "add", "mul", "unm", "concat", "eq", "lt", "le"} {
			if g.oneIn(4) {
				g.write("__%s = function(self, v0) F() return %s end, ", event, g.value("v", 1))
			}
		}
	})
	g.write("__mod = %s}) ", g.choose("nil", "show"))
}

// operation writes an operation on a table for one of the events. Most of them fail without a metatable.
func (g *generator) operation(depth int) string {
	a, b := g.variable("t"), g.variable("t")
	switch g.rnd.IntN(4) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", a, g.choose("+", "*", "%", "..", "==", "~=", "<", "<=", ">", ">="), b)
	case 1:
		return fmt.Sprintf("(%s %s %s)", g.choose(a, g.value("n", depth-1)), g.choose("+", "*", "%"),
			g.choose(b, g.value("v", depth-1)))
	case 2:
		return fmt.Sprintf("%s(%s)", a, g.value("v", depth-1))
	}
	return g.choose("(- "+a+")", "("+a+" .. 'x')", "("+a+" == "+b+")", "rawget("+a+", 1)", "rawequal("+a+", "+b+")",
		a+".k", a+"[9]")
}
