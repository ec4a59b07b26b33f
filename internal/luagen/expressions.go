package luagen

import (
	"fmt"
	"strings"
)

// Each function here writes an expression of one kind, with parts that are less deep by one; at depth 0 it writes a
// variable or a constant. Results must not depend on what Lua leaves open: the address of a table or a function never
// becomes text, and there is no -0, whose sign two interpreters may lose at different places.

// value writes an expression of a kind, which is also how names of variables begin: "n" a number, "t" a table, "v" any
// value.
func (g *generator) value(kind string, depth int) string {
	switch kind {
	case "n":
		return g.number(depth)
	case "t":
		return g.table(depth)
	}
	return g.anything(depth)
}

// number writes arithmetic, a length, or a choice between two numbers. Constants are in the forms that parsers tend to
// get wrong: 1e3, 0x10.
func (g *generator) number(depth int) string {
	if depth <= 0 || g.oneIn(3) {
		return g.choose(g.variable("n"), fmt.Sprint(g.rnd.IntN(5)), "0.5", "1e3", "0x10")
	}
	if g.options.Libraries && g.oneIn(6) {
		return g.numberCall(depth)
	}
	a, b := g.number(depth-1), g.number(depth-1)
	switch g.rnd.IntN(7) {
	case 0:
		return "(0 - " + a + ")" // not "-", to avoid -0, see below
	case 1:
		return fmt.Sprintf("(%s and %s or %s)", g.anything(depth-1), a, b)
	case 2:
		return fmt.Sprintf("#((%s) + 0 .. '')", a)
	}
	if g.oneIn(6) {
		return fmt.Sprintf("(%s / (%s * %s + 1))", a, b, b) // the divisor is never 0, which would show the sign of a zero
	}
	if g.oneIn(4) {
		// Not of two constants: Lua folds them, and one -0 stands for all zeros of a function.
		return fmt.Sprintf("(%s * %s)", g.variable("n"), b)
	}
	return fmt.Sprintf("(%s %s %s)", a, g.choose("+", "-", "%"), b)
}

// table writes a table in scope or a constructor: with a list around 50 values, after which compilers emit another
// instruction, with fields between the values, and with a call at the end, all of whose results are values.
func (g *generator) table(depth int) string {
	if depth <= 0 || g.oneIn(3) {
		return g.variable("t")
	}
	fields := []string{}
	if g.oneIn(12) {
		fields = append(fields, strings.TrimSuffix(strings.Repeat("9, ", 47+g.rnd.IntN(5)), ", "))
	}
	for n := g.rnd.IntN(4); n > 0; n-- {
		switch g.rnd.IntN(3) {
		case 0:
			fields = append(fields, "k = "+g.anything(depth-1))
		case 1:
			fields = append(fields, fmt.Sprintf("[%s %% 1000] = %s", g.number(depth-1), g.anything(depth-1)))
		default:
			fields = append(fields, g.anything(depth-1))
		}
	}
	if g.oneIn(4) {
		fields = append(fields, g.call(depth-1))
	}
	return "{" + strings.Join(fields, g.choose(", ", "; ")) + "}"
}

// anything writes an expression of any type, which may fail: a call of what is no function, a field of nil. Operators
// with different precedences are also written without parentheses.
func (g *generator) anything(depth int) string {
	if depth <= 0 || g.oneIn(4) {
		return g.choose(g.variable("v"), g.variable("v"), g.variable("n"), "nil", "true", "false", "'s'", "'10'", "3")
	}
	if g.options.Libraries && g.oneIn(4) {
		return g.libraryCall(depth)
	}
	a, b := g.anything(depth-1), g.anything(depth-1)
	switch g.rnd.IntN(16) {
	case 0, 1:
		return fmt.Sprintf("(%s and %s)", a, b)
	case 2, 3:
		return fmt.Sprintf("(%s or %s)", a, b)
	case 4:
		return a + g.choose(" and ", " or ") + b + g.choose(" and ", " or ") + g.anything(depth-1)
	case 5:
		return "not " + a
	case 6:
		return fmt.Sprintf("(%s %s %s)", a, g.choose("==", "~="), b)
	case 7:
		return fmt.Sprintf("(%s %s %s)", g.number(depth-1), g.choose("<", ">", "<=", ">="), g.number(depth-1))
	case 8:
		return g.field()
	case 9, 10:
		return g.call(depth - 1)
	case 11:
		return g.closure(depth - 1)
	case 12:
		if g.oneIn(5) {
			return g.choose(fmt.Sprintf("(%s .. 'c')", a), fmt.Sprintf("(1 .. %s)", b), fmt.Sprintf("(%s + %s)", a, b))
		}
		return fmt.Sprintf("('1' .. (%s) + 0 .. %s)", g.number(depth-1), g.choose("2", "'x'", "tostring(nil)"))
	}
	if g.oneIn(2) {
		return g.condition(2)
	}
	if g.vararg {
		return g.choose("(...)", "select('#', ...)")
	}
	return g.number(depth)
}

// condition writes the condition of a branch: nested and, or, not and comparisons, which compile to jumps.
func (g *generator) condition(depth int) string {
	if depth <= 0 {
		return g.anything(1)
	}
	a, b := g.condition(depth-1), g.condition(depth-1)
	switch g.rnd.IntN(6) {
	case 0, 1:
		return fmt.Sprintf("(%s and %s)", a, b)
	case 2, 3:
		return fmt.Sprintf("(%s or %s)", a, b)
	case 4:
		return "not " + a
	}
	return fmt.Sprintf("%s %s %s", g.number(1), g.choose("<", ">", "<=", ">=", "==", "~="), g.number(1))
}

// call writes a call of a function in scope, or now and then of a value that may not be one. In parentheses it has one
// result.
func (g *generator) call(depth int) string {
	args := g.anything(depth/2) + ", " + g.number(depth/2)
	if g.vararg && g.oneIn(3) {
		args += ", ..."
	}
	callee := g.variable("f")
	if callee == "" || g.oneIn(10) {
		callee = g.choose("show", "show", g.variable("v"), "(function(...) return ... end)")
	}
	if g.oneIn(4) {
		return "(" + callee + "(" + args + "))"
	}
	return callee + "(" + args + ")"
}

// closure writes a function that captures a number and increments it, so that closures which should share a variable,
// or should not, show it by their results. Within it "..." is not that of the function around.
func (g *generator) closure(depth int) string {
	shared := g.variable("n")
	outer := g.vararg
	g.vararg = false
	defer func() { g.vararg = outer }()
	return fmt.Sprintf("function(v0) F() %s = %s + 1 return v0, %s end", shared, shared,
		g.choose(shared, g.anything(depth/2)))
}
