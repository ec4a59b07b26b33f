package luafront

import (
	"github.com/yuin/gopher-lua/ast"
)

// hiddenLocals is how many variables a for loop keeps for itself; they count against the limit.
const hiddenLocals = 3

// forStatement reads either kind of for.
func (p *parser) forStatement(line int) ast.Stmt {
	p.fn.enter(true)
	p.advance()
	name := p.name()
	switch p.tok.kind {
	case '=':
		return p.numericFor(name, line)
	case ',', tokIn:
		return p.genericFor(name, line)
	}
	p.fail("'=' or 'in' expected")
	return nil
}

// numericFor reads "= first, limit, step do … end". OP_FORPREP (forprep.go) makes numbers of the three, in the line of
// "do".
func (p *parser) numericFor(name string, line int) ast.Stmt {
	p.room(hiddenLocals + 1)
	p.advance()
	stmt := &ast.NumberForStmt{Name: name, Init: p.expression()}
	p.pass(',')
	stmt.Limit = p.expression()
	if p.accept(',') {
		stmt.Step = p.expression()
	}
	stmt.SetLine(p.lex.line)
	stmt.Stmts = p.loopBody([]string{name}, line)
	return stmt
}

// genericFor reads ", names in values do … end".
func (p *parser) genericFor(name string, line int) ast.Stmt {
	p.room(hiddenLocals + 1)
	names := []string{name}
	if p.accept(',') {
		names = append(names, p.newLocals(hiddenLocals+1)...)
	}
	p.pass(tokIn)
	valuesLine := p.lex.line
	values, safe := iteratorValues(p.expressions())
	stmt := &ast.GenericForStmt{Names: names, Exprs: values, Stmts: p.loopBody(names, line)}
	stmt.SetLine(valuesLine)
	stmt.SetLastLine(p.lastLine)
	if safe {
		return stmt
	}
	return iterateOver(stmt)
}

// iteratorValues makes the values of a generic for three where that is simple, as gopher-lua does not fill up with nil.
// safe reports whether it compiles them right.
func iteratorValues(values []ast.Expr) (three []ast.Expr, safe bool) {
	last := values[len(values)-1]
	_, call := last.(*ast.FuncCallExpr)
	switch {
	case !safeIterator(values):
		return values, false
	case len(values) >= hiddenLocals || call && len(values) == 1:
		return values, true
	case !isPath(last) && !isConstant(last):
		return values, false
	}
	for len(values) < hiddenLocals {
		values = append(values, &ast.NilExpr{})
	}
	return values, true
}

// loopBody reads "do … end" with the variables of the loop in scope.
func (p *parser) loopBody(names []string, line int) []ast.Stmt {
	p.declare("(for 1)", "(for 2)", "(for 3)")
	p.pass(tokDo)
	p.declare(names...)
	body := p.chunk()
	p.passClosing(tokEnd, tokFor, line)
	return p.leaveLoop(body)
}

// safeIterator reports whether gopher-lua compiles the values of a generic for right. It takes the registers of the
// hidden variables as used while it evaluates into them, so that a call whose result goes into the first may be
// overwritten. The usual "pairs(t)" and "next, t" are safe.
func safeIterator(values []ast.Expr) bool {
	call, ok := values[0].(*ast.FuncCallExpr)
	if !ok {
		return isPath(values[0])
	}
	return len(values) == 1 && !call.AdjustRet &&
		(call.Func != nil && isPath(call.Func) || call.Func == nil && isPath(call.Receiver))
}

// isPath reports whether an expression is a name or fields of one with constant keys: a.b.c.
func isPath(e ast.Expr) bool {
	for {
		switch node := e.(type) {
		case *ast.IdentExpr:
			return true
		case *ast.AttrGetExpr:
			if _, ok := node.Key.(*ast.StringExpr); !ok {
				return false
			}
			e = node.Object
		default:
			return false
		}
	}
}

// iterateOver evaluates the values of a generic for into variables of their own first.
func iterateOver(loop *ast.GenericForStmt) ast.Stmt {
	names := []string{tempName(0), tempName(1), tempName(2)}
	values := &ast.LocalAssignStmt{Names: names, Exprs: loop.Exprs}
	values.SetLine(loop.Line())
	loop.Exprs = []ast.Expr{temp(0, loop.Line()), temp(1, loop.Line()), temp(2, loop.Line())}
	return &ast.DoBlockStmt{Stmts: []ast.Stmt{values, loop}}
}
