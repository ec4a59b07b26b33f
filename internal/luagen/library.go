package luagen

import "fmt"

// This file writes only calls that Lua defines: patterns and formats are valid or fail with a known error. No call
// assigns a string made from a whole list or variable to the same one: sizes would double.

// text writes an expression that is a string: constants with separators, NULs and bytes from 128 on, and functions of
// string.
func (g *generator) text(depth int) string {
	if depth <= 0 || g.oneIn(3) {
		return g.choose("'abc'", "'hello world'", "'a,b,,c'", "' key=val '", "'Ab1%'", "''", "'x\\0y'", "'10'",
			"'\\200\\255'")
	}
	// In parentheses, since a constant can't be followed by a method call.
	a := "(" + g.text(depth-1) + ")"
	switch g.rnd.IntN(11) {
	case 0:
		return fmt.Sprintf("(%s .. %s)", a, g.text(depth-1))
	case 1:
		return fmt.Sprintf("%s:sub(%s, %s)", a, g.index(), g.index())
	case 2:
		return a + g.choose(":upper()", ":lower()", ":reverse()")
	case 3:
		return fmt.Sprintf("%s:rep(%s)", a, g.choose("0", "1", "2", "3", "-1"))
	case 4:
		return fmt.Sprintf("(%s:gsub(%s, %s))", a, g.pattern(), g.replacement())
	case 5:
		return fmt.Sprintf("tostring(%s)", g.choose(g.number(depth-1), "nil", "true", g.text(depth-1)))
	case 6:
		return fmt.Sprintf("string.char(%s %% 128, 65)", g.number(depth-1))
	}
	return g.format(depth - 1)
}

// index writes an index into a string or a list: from either end, outside, as a text or with a fraction.
func (g *generator) index() string {
	return g.choose("0", "1", "2", "3", "-1", "-2", "-3", "10", "'2'", "1.5", g.variable("n"))
}

// format writes a call of string.format with one conversion or two, for which the argument may be of the wrong type.
func (g *generator) format(depth int) string {
	switch g.rnd.IntN(4) {
	case 0:
		layout := g.choose("%s", "%5s|", "%-6s|", "%.2s", "%q", "%s%%")
		return fmt.Sprintf("string.format('%s', %s)", layout, g.choose(g.text(depth), g.number(depth), g.anything(0)))
	case 1:
		layout := g.choose("%d", "%5d", "%-5d|", "%05d", "%+d", "%i", "%.3d", "%x", "%X", "%o", "%#x")
		return fmt.Sprintf("string.format('%s', %s)", layout, g.number(depth))
	case 2:
		layout := g.choose("%g", "%.3f", "%e", "%10.2f|", "%.14g", "%G", "%f", "%.17g", "%5.1f")
		return fmt.Sprintf("string.format('%s', %s)", layout, g.number(depth))
	}
	return fmt.Sprintf("string.format('%%s-%%d', %s, %s)", g.text(depth), g.anything(0))
}

// pattern writes a pattern: of classes, sets, captures, repetitions, %b and %f, a few of them invalid.
func (g *generator) pattern() string {
	return g.choose("'%w+'", "'[a-c]'", "'l+'", "'.'", "'(%w)(%w)'", "'^%s*(.-)%s*$'", "'[^,]*'", "'%a-'", "'()'", "'b*'",
		"','", "'x?y'",
		"'%d+$'", "'%f[%w]%w+'", "'%b='", "'[%a_][%w_]*'", "'(a'", "'%'", "'='", "'[%z\\128-\\255]'")
}

// replacement writes argument 3 of gsub: a text with references, a table, or a function.
func (g *generator) replacement() string {
	return g.choose("'<%0>'", "'%1'", "''", "'x'", "'%2%1'", "'%%'", "function(a, b) F() return b or a end",
		"{a = 'A', b = 1, l = false}",
		"function(a) F() end", "string.upper", "'%'")
}

// numberCall writes a call that returns a number; "or 0" stands for those that may return nil.
func (g *generator) numberCall(depth int) string {
	a, b := g.number(depth-1), g.number(depth-1)
	switch g.rnd.IntN(8) {
	case 0:
		return fmt.Sprintf("math.%s(%s)", g.choose("floor", "ceil", "abs"), a)
	case 1:
		return fmt.Sprintf("math.%s(%s, %s)", g.choose("max", "min"), a, b)
	case 2:
		return fmt.Sprintf("math.fmod(%s, 7)", a)
	case 3:
		return fmt.Sprintf("#(%s)", g.text(depth-1))
	case 4:
		return "#" + g.variable("l")
	case 5:
		return fmt.Sprintf("(%s:byte(%s) or 0)", "("+g.text(depth-1)+")", g.index())
	case 6:
		return fmt.Sprintf("(%s:find(%s) or 0)", "("+g.text(depth-1)+")", g.pattern())
	}
	return fmt.Sprintf("(tonumber(%s%s) or 0)", g.text(depth-1), g.choose("", ", 16", ", 2"))
}

// libraryCall writes a call that returns any value. show makes one text of several results.
func (g *generator) libraryCall(depth int) string {
	switch g.rnd.IntN(10) {
	case 0:
		return fmt.Sprintf("%s[%s]", g.variable("l"), g.index())
	case 1:
		return fmt.Sprintf("(%s):match(%s)", g.text(depth-1), g.pattern())
	case 2:
		return fmt.Sprintf("show((%s):%s(%s))", g.text(depth-1), g.choose("find", "match"), g.pattern())
	case 3:
		return fmt.Sprintf("show((%s):gsub(%s, %s))", g.text(depth-1), g.pattern(), g.replacement())
	case 4:
		return fmt.Sprintf("show(unpack(%s))", g.variable("l"))
	case 5:
		return fmt.Sprintf("type(%s)", g.anything(depth-1))
	case 6:
		return fmt.Sprintf("show(table.concat(%s, %s))", g.variable("l"), g.choose("','", "''", "1"))
	case 7:
		return g.operation(depth)
	}
	return g.text(depth)
}
