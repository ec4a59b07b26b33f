package luafront

import (
	"github.com/yuin/gopher-lua/ast"
)

// Expressions are read by precedence climbing, as by subexpr of lparser.c, so the parser calls itself once for each
// operator that binds stronger, and in parentheses. A chain of operators of one binding is read in a loop.

// binding is how strongly an operator holds the operands at its left and right; right < left associates to the right.
type binding struct{ left, right int }

// bindUnary is the binding of unary operators: weaker than ^, so -x^2 is -(x^2), and stronger than all others.
const bindUnary = 8

// binaryBinding returns the binding of a binary operator (priority in lparser.c).
func binaryBinding(kind tokenKind) (binding, bool) {
	switch kind {
	case '^':
		return binding{10, 9}, true
	case '*', '/', '%':
		return binding{7, 7}, true
	case '+', '-':
		return binding{6, 6}, true
	case tokConcat:
		return binding{5, 4}, true
	case '<', '>', tokLe, tokGe, tokEq, tokNe:
		return binding{3, 3}, true
	case tokAnd:
		return binding{2, 2}, true
	case tokOr:
		return binding{1, 1}, true
	}
	return binding{}, false
}

// expressions reads one or more expressions separated by commas. Afterwards p.depth is that of the deepest.
func (p *parser) expressions() []ast.Expr {
	exprs := []ast.Expr{p.expression()}
	maxDepth := p.depth
	for p.accept(',') {
		p.fieldLine(exprs[len(exprs)-1])
		exprs = append(exprs, p.expression())
		maxDepth = max(maxDepth, p.depth)
	}
	p.depth = maxDepth
	return exprs
}

// expression reads one expression.
func (p *parser) expression() ast.Expr { return p.operation(0) }

// operation reads an expression whose operators bind stronger than limit.
func (p *parser) operation(limit int) ast.Expr {
	p.enterLevel()
	left := p.unary()
	for {
		operator := p.tok.kind
		b, ok := binaryBinding(operator)
		if !ok || b.left <= limit {
			break
		}
		depth := p.depth
		p.advance()
		p.fieldLine(left)
		right := p.operation(b.right)
		p.nest(depth)
		left = p.binary(operator, left, right)
	}
	p.leaveLevel()
	return left
}

// unary reads an operand with the unary operators before it.
func (p *parser) unary() ast.Expr {
	operator := p.tok.kind
	switch operator {
	case tokNot, '-', '#':
	default:
		return p.simple()
	}
	p.advance()
	operand := p.operation(bindUnary)
	p.nest(0)
	var e ast.Expr
	switch operator {
	case tokNot:
		e = not(operand)
	case '-':
		e = &ast.UnaryMinusOpExpr{Expr: operand}
	default:
		e = &ast.UnaryLenOpExpr{Expr: operand}
	}
	p.at(e, operand)
	return e
}

// binary builds the node of a binary operator. Operations on constants are folded where gopher-lua would compile them
// wrongly.
func (p *parser) binary(operator tokenKind, left, right ast.Expr) ast.Expr {
	switch operator {
	case tokConcat:
		return p.concat(left, right)
	case tokAnd, tokOr:
		if isConstant(left) {
			return foldLogical(operator, left, right)
		}
		e := &ast.LogicalOpExpr{Operator: operator.text(), Lhs: left, Rhs: right}
		p.at(e)
		return e
	case '<', '>', tokLe, tokGe, tokEq, tokNe:
		e := &ast.RelationalOpExpr{Operator: operator.text(), Lhs: left, Rhs: right}
		p.at(e)
		return e
	}
	if operator == '%' {
		if e := remainderOf(left, right); e != nil {
			p.at(e)
			return e
		}
	}
	e := &ast.ArithmeticOpExpr{Operator: operator.text(), Lhs: left, Rhs: right}
	p.at(e, left, right)
	return e
}

// concat builds a concatenation; a chain of them is one instruction with all their operands.
func (p *parser) concat(left, right ast.Expr) ast.Expr {
	e := &ast.StringConcatOpExpr{Lhs: left, Rhs: right}
	operands := []ast.Expr{left}
	for {
		next, ok := right.(*ast.StringConcatOpExpr)
		if !ok {
			break
		}
		operands = append(operands, next.Lhs)
		right = next.Rhs
	}
	p.at(e, append(operands, right)...)
	return e
}

// simple reads an operand.
func (p *parser) simple() ast.Expr {
	p.depth = 1
	var e ast.Expr
	switch p.tok.kind {
	case tokNumber:
		e = &ast.NumberExpr{Value: p.tok.value}
	case tokString:
		e = &ast.StringExpr{Value: p.tok.value}
	case tokNil:
		e = &ast.NilExpr{}
	case tokTrue:
		e = &ast.TrueExpr{}
	case tokFalse:
		e = &ast.FalseExpr{}
	case tokDots:
		if !p.fn.vararg {
			p.fail("cannot use '...' outside a vararg function")
		}
		e = &ast.Comma3Expr{}
	case '{':
		return p.table()
	case tokFunction:
		p.advance()
		return p.functionBody(p.lex.line, false)
	default:
		e, _ = p.suffixed()
		return e
	}
	p.constant(p.tok.value)
	p.advance()
	p.at(e)
	return e
}

// functionBody reads "(parameters) … end".
func (p *parser) functionBody(line int, method bool) *ast.FunctionExpr {
	p.fn = &scope{outer: p.fn, line: line}
	p.fn.enter(false)
	p.pass('(')
	if method {
		p.declare("self")
	}
	params := p.parameters()
	p.pass(')')
	body := p.chunk()
	function := &ast.FunctionExpr{ParList: params, Stmts: body}
	function.SetLine(line)
	function.SetLastLine(p.lex.line)
	p.passClosing(tokEnd, tokFunction, line)
	p.fn = p.fn.outer
	p.depth = 1
	return function
}

// parameters reads the names of the parameters of a function. A function with "..." has a local variable "arg" in Lua
// 5.1.
func (p *parser) parameters() *ast.ParList {
	params := &ast.ParList{Names: []string{}}
	for more := p.tok.kind != ')'; more; more = !params.HasVargs && p.accept(',') {
		switch p.tok.kind {
		case tokName:
			params.Names = append(params.Names, p.newLocal(len(params.Names)))
		case tokDots:
			p.advance()
			p.room(len(params.Names) + 1)
			params.HasVargs = true
		default:
			p.fail("<name> or '...' expected")
		}
	}
	p.declare(params.Names...)
	if params.HasVargs {
		p.fn.vararg = true
		p.declare("arg")
	}
	return params
}
