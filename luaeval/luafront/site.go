package luafront

import (
	"github.com/yuin/gopher-lua/ast"
)

// nameKind is where the value of an operand comes from, for messages: "attempt to index local 'x' (a nil value)".
type nameKind uint8

const (
	nameNone nameKind = iota // a constant or a result: messages name its type only
	nameLocal
	nameUpvalue
	nameGlobal
	nameField
	nameMethod
)

// kindTexts are the words of messages for the kinds.
var kindTexts = [...]string{"", "local", "upvalue", "global", "field", "method"}

// operand is a named operand of an instruction.
type operand struct {
	kind nameKind
	name string
}

// site is information of the parser about an instruction. The compiler copies only a line number from a node to its
// instructions, so the parser gives nodes negative line numbers as indexes of sites, and resolveSites (compile.go)
// replaces them.
type site struct {
	line     int
	operands []operand
	setList  int         // the correct operand C of an OP_SETLIST, dropSetList, or 0 as compiled
	sizes    *tableSizes // of an OP_NEWTABLE
}

// tableSizes is the numbers of fields of a constructor, in its list and in its hash.
type tableSizes struct{ list, others int }

// dropSetList marks an OP_SETLIST that must not be run.
const dropSetList = -1

// at gives a node the line of the last token that was read, which is the line that Lua gives to an operator's
// instruction.
func (p *parser) at(node ast.PositionHolder, operands ...ast.Expr) {
	p.atLine(node, p.lastLine, operands...)
}

// atLine gives a node a line and, if any of its operands has a name, a site.
func (p *parser) atLine(node ast.PositionHolder, line int, operands ...ast.Expr) {
	named := p.describeAll(operands)
	if named == nil {
		node.SetLine(line)
		return
	}
	node.SetLine(p.addSite(site{line: line, operands: named}))
}

// addSite keeps a site and returns the line number that stands for it.
func (p *parser) addSite(s site) int {
	p.sites = append(p.sites, s)
	return -len(p.sites)
}

// siteOf returns what the line number of a node stands for.
func (p *parser) siteOf(line int) site {
	if line >= 0 {
		return site{line: line}
	}
	return p.sites[-line-1]
}

// fieldLine gives a field access the line of the last token. Lua emits it only after the operator, comma or parenthesis
// that follows.
func (p *parser) fieldLine(e ast.Expr) {
	field, ok := e.(*ast.AttrGetExpr)
	switch {
	case !ok:
	case field.Line() < 0:
		p.sites[-field.Line()-1].line = p.lastLine
	default:
		field.SetLine(p.lastLine)
	}
}

// describeAll describes operands, in their order; nil if none has a name.
func (p *parser) describeAll(exprs []ast.Expr) []operand {
	var named []operand
	for i, e := range exprs {
		o := p.describe(e)
		if o.kind == nameNone {
			continue
		}
		if named == nil {
			named = make([]operand, len(exprs))
		}
		named[i] = o
	}
	return named
}

// describe names an operand as the symbolic execution of Lua (getobjname in ldebug.c) would find it.
func (p *parser) describe(e ast.Expr) operand {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return operand{p.resolve(e.Value), e.Value}
	case *ast.AttrGetExpr:
		if key, ok := e.Key.(*ast.StringExpr); ok {
			return operand{nameField, key.Value}
		}
		return operand{nameField, "?"}
	}
	return operand{}
}
