package luagen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A program is written statement by statement, without a syntax tree. So that it is valid, the generator keeps the
// variables in scope and whether "..." is allowed; what a statement does when it runs is left to chance, but for the
// fuel.

// generator writes random programs that end and log what they do. Variables n1… hold numbers, v1… anything, t1… tables,
// f1… functions, l1… lists of numbers and strings without holes; most errors are caught and logged with their messages.
//
// A function that writes gets the depth to which it may nest others.
type generator struct {
	rnd         *rand.Rand
	options     Options
	out         strings.Builder
	statements  []span
	vars        []string // in scope, the innermost last
	names       int      // used so far
	vararg      bool     // the function being written has "..."
	inCoroutine bool
}

// write appends to the program.
func (g *generator) write(format string, args ...any) { fmt.Fprintf(&g.out, format, args...) }

// oneIn returns true once in n times.
func (g *generator) oneIn(n int) bool { return g.rnd.IntN(n) == 0 }

// choose returns one of the texts, all of which were made: also those that are not chosen take random numbers.
func (g *generator) choose(texts ...string) string { return texts[g.rnd.IntN(len(texts))] }

// declare adds a new variable to the scope and returns its name; sometimes it shadows another one.
func (g *generator) declare(kind string) string {
	name := g.variable(kind)
	if name == "" || !g.oneIn(4) {
		g.names++
		name = fmt.Sprintf("%s%d", kind, g.names)
	}
	g.vars = append(g.vars, name)
	return name
}

// variable returns a random variable of a type, "" if there is none.
func (g *generator) variable(kind string) string {
	var found []string
	for _, name := range g.vars {
		if strings.HasPrefix(name, kind) {
			found = append(found, name)
		}
	}
	if found == nil {
		return ""
	}
	return g.choose(found...)
}

// body writes statements in their own scope.
func (g *generator) body(depth, most int) {
	scope := len(g.vars)
	for n := 1 + g.rnd.IntN(most); n > 0; n-- {
		g.statement(depth)
	}
	g.vars = g.vars[:scope]
}

// statement writes a statement and records its position for Shrink.
func (g *generator) statement(depth int) {
	from := g.out.Len()
	g.anyStatement(depth)
	g.statements = append(g.statements, span{from, g.out.Len()})
}

// anyStatement writes a statement. About half of them contain others while the depth lasts. Those listed twice are more
// frequent.
func (g *generator) anyStatement(depth int) {
	if g.options.Libraries && g.oneIn(4) {
		if g.oneIn(4) {
			g.objectStatement(depth)
		} else {
			g.listStatement(depth)
		}
		return
	}
	simple := []func(int){g.localStatement, g.assignment, g.assignment, g.assignment, g.logStatement, g.logStatement}
	nested := []func(int){g.ifStatement, g.loop, g.loop, g.function, g.function, g.method, g.block, g.caught, g.caught}
	if depth > 0 && g.oneIn(2) {
		nested[g.rnd.IntN(len(nested))](depth - 1)
		return
	}
	simple[g.rnd.IntN(len(simple))](depth)
}

// localStatement declares up to three variables. They are in scope after it only, so the values may use outer ones of
// the same name.
func (g *generator) localStatement(depth int) {
	kinds := make([]string, 1+g.rnd.IntN(3))
	values := make([]string, len(kinds))
	for i := range kinds {
		kinds[i] = g.choose("n", "v", "v", "t")
		values[i] = g.value(kinds[i], 2)
	}
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = g.declare(kind)
	}
	if allAny(kinds) && g.oneIn(3) {
		values = g.otherCount(values)
	}
	g.write("local %s = %s ", strings.Join(names, ", "), strings.Join(values, ", "))
}

// allAny reports whether all variables may hold any value: only then may values be missing.
func allAny(kinds []string) bool { return strings.Trim(strings.Join(kinds, ""), "v") == "" }

// otherCount returns more or fewer values; the last may be a call or "...".
func (g *generator) otherCount(values []string) []string {
	switch g.rnd.IntN(3) {
	case 0:
		return append(values, g.value("v", 1))
	case 1:
		return values[:1]
	}
	last := g.call(1)
	if g.vararg && g.oneIn(2) {
		last = "..."
	}
	return append(values[:len(values)-1], last)
}

// assignment assigns to up to three variables and fields at once, whose order of evaluation shows in the result.
func (g *generator) assignment(depth int) {
	count := 1 + g.rnd.IntN(3)
	targets, kinds, values := make([]string, count), make([]string, count), make([]string, count)
	for i := range targets {
		kinds[i] = g.choose("n", "v", "v", "t")
		// A field may hold any value, a variable n or t only one of its kind.
		if targets[i] = g.variable(kinds[i]); g.oneIn(3) {
			targets[i], kinds[i] = g.field(), "v"
		}
		values[i] = g.value(kinds[i], 2)
	}
	if allAny(kinds) && g.oneIn(3) {
		values = g.otherCount(values)
	}
	g.write("%s = %s ", strings.Join(targets, ", "), strings.Join(values, ", "))
}

// field returns a field of a table, or now and then of any value, which may fail. Computed keys are taken modulo 1,000,
// as longer lists would show nothing new.
func (g *generator) field() string {
	table := g.variable("t")
	if g.oneIn(40) {
		table = g.variable("v")
	}
	switch g.rnd.IntN(4) {
	case 0:
		return table + ".k"
	case 1:
		return fmt.Sprintf("%s[%d]", table, 1+g.rnd.IntN(4))
	case 2:
		return fmt.Sprintf("%s[%s]", table, g.variable("n"))
	}
	return fmt.Sprintf("%s[%s %% 1000]", table, g.value("n", 1))
}

// logStatement logs two values.
func (g *generator) logStatement(int) {
	g.write("L(%s, %s) ", g.value("v", 2), g.value(g.choose("n", "v"), 2))
}

// ifStatement writes if with any number of elseif, and perhaps else.
func (g *generator) ifStatement(depth int) {
	g.write("if %s then ", g.condition(2))
	g.body(depth, 3)
	for g.oneIn(3) {
		g.write("elseif %s then ", g.condition(1))
		g.body(depth, 2)
	}
	if g.oneIn(2) {
		g.write("else ")
		g.body(depth, 2)
	}
	g.write("end ")
}

// loop writes one of the four loops. while and repeat count a variable down; their bodies can assign to it, but fuel
// ends them.
func (g *generator) loop(depth int) {
	scope := len(g.vars)
	switch g.rnd.IntN(4) {
	case 0:
		step := g.choose("", ", 2", ", '1'", ", 1.5")
		g.write("for %s = %s, %s%s do F() ", g.declare("n"), g.choose("1", "'1'", "0.5"), g.choose("2", "3", "'3'"), step)
		g.loopBody(depth, "end ")
	case 1:
		bound := g.declare("n")
		g.write("local %s = 3 while %s and %s do F() %s = %s - 1 ", bound, bound+" > 0", g.condition(2), bound, bound)
		g.loopBody(depth, "end ")
	case 2:
		bound := g.declare("n")
		g.write("local %s = 3 repeat F() %s = %s - 1 ", bound, bound, bound)
		g.loopBody(depth, "until "+bound+" < 1 or "+g.condition(2)+" ")
	default:
		g.genericLoop(depth)
	}
	g.vars = g.vars[:scope]
}

// genericLoop iterates with its own function, since the order of pairs is not defined.
func (g *generator) genericLoop(depth int) {
	iterator := "function(s, i) F() if i < 2 then return i + 1, s end end"
	values := g.choose(iterator+", "+g.value("v", 1)+", 0", "(function(...) return ... end)("+iterator+", 'state', 0)")
	g.write("for %s, %s in %s do ", g.declare("n"), g.declare("v"), values)
	g.loopBody(depth, "end ")
}

// loopBody writes a body that may break at its end or in an inner block.
func (g *generator) loopBody(depth int, end string) {
	scope := len(g.vars)
	for n := 1 + g.rnd.IntN(3); n > 0; n-- {
		g.statement(depth)
		if g.oneIn(4) {
			g.write("if %s then ", g.value("v", 1))
			g.body(0, 2)
			g.write("break end ")
		}
	}
	g.write("%s", end)
	g.vars = g.vars[:scope]
}

// block writes do … end.
func (g *generator) block(depth int) {
	g.write("do ")
	g.body(depth, 3)
	g.write("end ")
}

// caught writes a function that pcall calls at once, which may end with an error of its own.
func (g *generator) caught(depth int) {
	g.write("L(pcall(function(...) F() ")
	g.inFunction(true, func() { g.body(depth, 3) })
	g.write("%s end, 'x', %s)) ", g.choose("", "return ...", "error('no')", "error({err = 'E'})", "error('at', 2)"),
		g.value("v", 1))
}

// inFunction writes the body of a function by calling write, with "..." as given, and ends the scope of what it
// declares.
func (g *generator) inFunction(vararg bool, write func()) {
	outer, scope := g.vararg, len(g.vars)
	g.vararg = vararg
	write()
	g.vararg, g.vars = outer, g.vars[:scope]
}

// function writes a function in one of two forms, of which only the first can call itself.
func (g *generator) function(depth int) {
	g.names++
	name := fmt.Sprintf("f%d", g.names)
	if g.oneIn(2) {
		g.vars = append(g.vars, name)
		g.write("local function %s", name)
		g.functionBody(depth)
		return
	}
	g.write("local %s = function", name)
	g.functionBody(depth)
	g.vars = append(g.vars, name)
}

// functionBody writes parameters, statements and a return, perhaps of a tail call.
func (g *generator) functionBody(depth int) {
	vararg := g.oneIn(3)
	g.inFunction(vararg, func() {
		params := g.declare("v") + ", " + g.declare("v")
		if vararg {
			params += ", ..."
		}
		g.write("(%s) F() ", params)
		g.body(depth, 3)
		if g.oneIn(3) {
			g.write("return %s end ", g.call(1)) // a tail call
			return
		}
		g.write("return %s, %s end ", g.value("v", 2), g.value("n", 1))
	})
}

// method writes a method and calls it. It returns whether self is the table.
func (g *generator) method(depth int) {
	table := g.variable("t")
	g.write("function %s:m(v0, ...) F() ", table)
	g.inFunction(true, func() {
		g.vars = append(g.vars, "v0")
		g.body(depth, 2)
		g.write("return self == %s, %s end ", table, g.value("v", 1))
	})
	g.write("L(%s:m(%s, %s)) ", table, g.value("v", 1), g.value("n", 1))
}
