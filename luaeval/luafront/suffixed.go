package luafront

import (
	"github.com/yuin/gopher-lua/ast"
)

// suffixed reads a name or an expression in parentheses and the fields, indexes and calls after it. noParens reports
// that it is not all in parentheses, which would be neither assignable nor a statement.
func (p *parser) suffixed() (e ast.Expr, noParens bool) {
	p.depth = 1
	e, noParens = p.primary()
	for {
		depth := p.depth
		p.depth = 0
		switch p.tok.kind {
		case '.':
			e = p.field(e)
		case '[':
			e = p.index(e)
		case ':':
			e = p.methodCall(e)
		case '(', '{', tokString:
			e = p.call(&ast.FuncCallExpr{Func: e}, operand{}, e)
		default:
			p.depth = depth
			return e, noParens
		}
		p.nest(depth)
		noParens = true
	}
}

// primary reads what suffixes can follow. Parentheses leave one value of a call or of "...".
func (p *parser) primary() (e ast.Expr, noParens bool) {
	switch p.tok.kind {
	case tokName:
		return p.nameExpression(), true
	case '(':
		line := p.lex.line
		p.advance()
		e = p.expression()
		p.passClosing(')', '(', line)
		p.fieldLine(e)
		return oneValue(e), false
	}
	p.fail("unexpected symbol")
	return nil, false
}

// nameExpression reads a variable.
func (p *parser) nameExpression() *ast.IdentExpr {
	e := &ast.IdentExpr{Value: p.name()}
	p.resolve(e.Value)
	e.SetLine(p.lastLine)
	return e
}

// field reads ".name" behind an object.
func (p *parser) field(object ast.Expr) ast.Expr {
	p.advance()
	key := &ast.StringExpr{Value: p.name()}
	key.SetLine(p.lastLine)
	e := &ast.AttrGetExpr{Object: object, Key: key}
	p.at(e, object)
	return e
}

// index reads "[key]" behind an object.
func (p *parser) index(object ast.Expr) ast.Expr {
	e := &ast.AttrGetExpr{Object: object, Key: p.bracketKey()}
	p.at(e, object)
	return e
}

// bracketKey reads "[key]".
func (p *parser) bracketKey() ast.Expr {
	p.advance()
	key := p.expression()
	p.pass(']')
	return key
}

// methodCall reads ":name" and the arguments behind an object.
func (p *parser) methodCall(object ast.Expr) ast.Expr {
	p.advance()
	method := p.name()
	return p.call(&ast.FuncCallExpr{Receiver: object, Method: method}, operand{nameMethod, method}, object)
}

// call reads the arguments of a call: in parentheses, one table, or one string. Operand 0 is what is called by OP_CALL,
// operand 1 the object of which OP_SELF reads the method.
func (p *parser) call(e *ast.FuncCallExpr, called operand, from ast.Expr) ast.Expr {
	line := p.lex.line
	switch p.tok.kind {
	case '(':
		if line != p.lastLine {
			p.fail("ambiguous syntax (function call x new statement)")
		}
		e.Args = p.arguments(line)
	case '{':
		e.Args = []ast.Expr{p.table()}
	case tokString:
		e.Args = []ast.Expr{p.simple()}
	default:
		p.fail("function arguments expected")
	}
	operands := []operand{called, p.describe(from)}
	if called.kind == nameNone {
		operands = operands[1:]
	}
	e.SetLine(p.addSite(site{line: line, operands: operands}))
	return e
}

// arguments reads "(a, b, …)" behind a function.
func (p *parser) arguments(line int) []ast.Expr {
	p.advance()
	args := []ast.Expr{}
	if p.tok.kind != ')' {
		args = p.expressions()
	}
	p.passClosing(')', '(', line)
	if n := len(args); n > 0 {
		p.fieldLine(args[n-1])
	}
	return args
}

// fieldsPerFlush is how many values a table constructor gathers in registers before an OP_SETLIST stores them.
const fieldsPerFlush = 50

// maxListItems is how long the list of a constructor can be: gopher-lua loses the place when operand C of OP_SETLIST
// does not hold it.
const maxListItems = 511 * fieldsPerFlush

// table reads a table constructor.
func (p *parser) table() ast.Expr {
	line := p.lex.line
	e := &ast.TableExpr{Fields: []*ast.Field{}}
	p.pass('{')
	items, maxDepth := 0, 0
	for p.tok.kind != '}' {
		field := p.tableField()
		e.Fields = append(e.Fields, field)
		maxDepth = max(maxDepth, p.depth)
		if field.Key == nil {
			items++
		} else if items > 0 && items%fieldsPerFlush == 0 {
			p.patchSetList(field.Key, dropSetList)
		}
		if !p.accept(',') && !p.accept(';') {
			break
		}
		if field.Key == nil {
			p.fieldLine(field.Value)
		}
	}
	if items > maxListItems {
		p.lex.fail("constructor too long", "")
	}
	p.fixLastItem(e.Fields, items)
	p.passClosing('}', '{', line)
	p.depth = maxDepth
	p.nest(0)
	e.SetLine(p.addSite(site{line: p.lastLine, sizes: constructorSizes(e.Fields, items)}))
	return e
}

// constructorSizes returns the operands of OP_NEWTABLE for a constructor: how many values, but for those of a call or
// "..." at its end, and how many other fields.
func constructorSizes(fields []*ast.Field, items int) *tableSizes {
	others := len(fields) - items
	if n := len(fields); n > 0 && fields[n-1].Key == nil && hasManyValues(fields[n-1].Value) {
		items--
	}
	return &tableSizes{list: items, others: others}
}

// hasManyValues reports whether an expression can have any number of values: a call or "...", not in parentheses.
func hasManyValues(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		return !e.AdjustRet
	case *ast.Comma3Expr:
		return !e.AdjustRet
	}
	return false
}

// fixLastItem corrects a list that ends in a call or "...": its values come behind the items flushed before, but
// gopher-lua overwrites the last flush if that was just complete.
func (p *parser) fixLastItem(fields []*ast.Field, items int) {
	if len(fields) == 0 || fields[len(fields)-1].Key != nil {
		return
	}
	if before := items - 1; before > 0 && before%fieldsPerFlush == 0 {
		p.patchSetList(fields[len(fields)-1].Value, before/fieldsPerFlush+1)
	}
}

// patchSetList marks the OP_SETLIST with the line of a node for resolveSites: gopher-lua emits one too many after a
// field with a key that follows a complete flush, when the registers are in use again.
func (p *parser) patchSetList(node ast.Expr, setList int) {
	s := p.siteOf(node.Line())
	s.setList = setList
	node.SetLine(p.addSite(s))
}

// tableField reads "name = value", "[key] = value" or a value of the list.
func (p *parser) tableField() *ast.Field {
	switch {
	case p.tok.kind == '[':
		key := p.bracketKey()
		return p.keyedField(key)
	case p.tok.kind == tokName && p.lookAhead() == '=':
		key := &ast.StringExpr{Value: p.name()}
		key.SetLine(p.lastLine)
		p.depth = 1
		return p.keyedField(key)
	}
	return &ast.Field{Value: p.expression()}
}

// keyedField reads "= value" behind a key. gopher-lua would store all values of a call in the last field into the list.
func (p *parser) keyedField(key ast.Expr) *ast.Field {
	depth := p.depth
	p.pass('=')
	field := &ast.Field{Key: key, Value: oneValue(p.expression())}
	p.depth = max(depth, p.depth)
	return field
}
