package luagen

// Lists l1… hold numbers and strings only and have no holes, so their length is defined. Each statement keeps that:
// what it adds is no nil, and is put at the end or between two elements.

// listStatement writes a statement that makes, changes or iterates over a list. Functions for table.sort may be invalid
// orders, whose errors are caught.
func (g *generator) listStatement(depth int) {
	l := g.variable("l")
	switch g.rnd.IntN(9) {
	case 0:
		items := g.item()
		for g.oneIn(2) {
			items += ", " + g.item()
		}
		g.write("local %s = {%s} ", g.declare("l"), items)
	case 1:
		g.write("%s[#%s + 1] = %s ", l, l, g.item())
	case 2:
		g.write("table.insert(%s, %s) ", l, g.item())
	case 3:
		g.write("table.insert(%s, %s, %s) ", l, g.choose("1", "#"+l, "#"+l+" + 1"), g.item())
	case 4:
		g.write("L(table.remove(%s%s)) ", l, g.choose("", ", 1", ", 2"))
	case 5:
		g.write("L(pcall(table.sort, %s%s)) ", l,
			g.choose("", ", function(a, b) F() return a > b end", ", function(a, b) F() return #(a .. '') < #(b .. '') end",
				", function(a, b) F() return true end"))
	case 6:
		g.write("L(unpack(%s, %s)) ", l, g.choose("1", "2", "1, 2", "#"+l))
	default:
		g.listLoop(l, depth)
	}
}

// item writes an element of a list.
func (g *generator) item() string {
	if g.oneIn(2) {
		return g.text(0)
	}
	return g.number(1)
}

// listLoop writes a loop over a list or the matches of a pattern, with statements in its body unless the depth is used
// up.
func (g *generator) listLoop(l string, depth int) {
	// The variables of the loop are out of scope behind it.
	scope := len(g.vars)
	switch g.rnd.IntN(4) {
	case 0:
		g.write("for %s, %s in ipairs(%s) do F() ", g.declare("n"), g.declare("v"), l)
	case 1:
		g.write("for i, v in pairs(%s) do F() L(i, v) end ", l) // a body that adds to the list is undefined
		return
	case 2:
		text, pattern := g.text(1), g.pattern()
		g.write("for %s, %s in (%s):gmatch(%s) do F() ", g.declare("v"), g.declare("v"), text, pattern)
	default:
		i := g.declare("n")
		g.write("for %s = 1, #%s do F() L(%s[%s]) ", i, l, l, i)
	}
	if depth > 0 {
		g.loopBody(depth-1, "end ")
	} else {
		g.write("L(%s) end ", g.value("v", 1))
	}
	g.vars = g.vars[:scope]
}
