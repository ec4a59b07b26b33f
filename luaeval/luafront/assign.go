package luafront

import (
	"github.com/yuin/gopher-lua/ast"
)

// Lua evaluates all values and the tables and keys of all targets before it assigns anything, so "a, b = b, a"
// exchanges two variables, and "i, t[i] = i + 1, 20" sets t at the old i. The functions here build that from what
// gopher-lua compiles right.

// expressionStatement reads a call or an assignment.
func (p *parser) expressionStatement(line int) ast.Stmt {
	first, noParens := p.suffixed()
	if call, ok := first.(*ast.FuncCallExpr); ok && noParens {
		stmt := &ast.FuncCallStmt{Expr: call}
		stmt.SetLine(line)
		return stmt
	}
	targets := p.targets(first, noParens)
	p.pass('=')
	return p.assignment(targets, p.expressions(), line)
}

// targets reads the left side of an assignment. noParens reports that the first target is not in parentheses.
func (p *parser) targets(first ast.Expr, noParens bool) []ast.Expr {
	targets := []ast.Expr{first}
	p.checkTarget(first, noParens)
	for p.accept(',') {
		target, noParens := p.suffixed()
		p.limit(p.fn, len(targets), maxLevels-p.level, "variables in assignment")
		p.checkTarget(target, noParens)
		targets = append(targets, target)
	}
	return targets
}

// checkTarget fails if a value can't be assigned to an expression.
func (p *parser) checkTarget(target ast.Expr, noParens bool) {
	switch target.(type) {
	case *ast.IdentExpr, *ast.AttrGetExpr:
		if noParens {
			return
		}
	}
	p.fail("syntax error")
}

// assignment builds the statement for targets and values. gopher-lua compiles only an assignment of one value to one
// target right, and not even each of those: it evaluates straight into local variables that later values, keys or
// tables still read, and miscounts registers when a local variable is assigned to a field. So all others become
//
//	do local t1, t2… = table, key…, value, value…  target = tn … target = t1 end
//
// with names that no script can write. As in Lua 5.1 everything is evaluated from left to right, then assigned from
// right to left.
func (p *parser) assignment(targets, values []ast.Expr, line int) ast.Stmt {
	for _, target := range targets {
		p.markTarget(target, p.lastLine)
	}
	switch {
	case len(targets) == 1 && len(values) == 1 && p.directly(targets[0], values[0]):
		return assign(targets[0], values[0], line)
	case p.independent(targets, values):
		return p.oneByOne(targets, values, line)
	}
	return p.byTemporaries(targets, values, line)
}

// assign builds an assignment of one value.
func assign(target, value ast.Expr, line int) ast.Stmt {
	stmt := &ast.AssignStmt{Lhs: []ast.Expr{target}, Rhs: []ast.Expr{value}}
	stmt.SetLine(line)
	return stmt
}

// directly reports whether gopher-lua compiles an assignment of one value right. It doesn't when operators that skip
// operands, or a call in parentheses, are evaluated into a local variable, nor when the table is a constant. It also
// reads a key before it evaluates the value, where Lua leaves a local variable in its register until the store.
func (p *parser) directly(target, value ast.Expr) bool {
	if field, ok := target.(*ast.AttrGetExpr); ok {
		return !isConstant(field.Object) && (!p.isLocal(field.Key) || isConstant(value) || p.isLocal(value))
	}
	if !p.isLocal(target) {
		return true
	}
	switch value := value.(type) {
	case *ast.LogicalOpExpr:
		return false
	case *ast.FuncCallExpr:
		return !value.AdjustRet
	case *ast.Comma3Expr:
		return !value.AdjustRet
	}
	return true
}

// independent reports whether the order of evaluations and assignments can't be seen: constants and local variables
// that are not targets are assigned to local variables.
func (p *parser) independent(targets, values []ast.Expr) bool {
	if len(targets) != len(values) {
		return false
	}
	for _, target := range targets {
		if !p.isLocal(target) {
			return false
		}
	}
	for _, value := range values {
		if !isConstant(value) && (!p.isLocal(value) || containsName(targets, value)) {
			return false
		}
	}
	return true
}

// oneByOne builds an assignment of independent values, from right to left.
func (p *parser) oneByOne(targets, values []ast.Expr, line int) ast.Stmt {
	block := &ast.DoBlockStmt{}
	for i := len(targets) - 1; i >= 0; i-- {
		block.Stmts = append(block.Stmts, assign(targets[i], values[i], line))
	}
	return lined(block, line)
}

// byTemporaries builds the block that assignment describes. Tables and keys of the targets that can't be kept otherwise
// come first among the temporaries, then a value for each target; a missing value is nil, as in any local statement.
func (p *parser) byTemporaries(targets, values []ast.Expr, line int) ast.Stmt {
	evaluate := &ast.LocalAssignStmt{}
	for i, target := range targets {
		if field, ok := target.(*ast.AttrGetExpr); ok {
			field.Object = p.keep(evaluate, field.Object, targets[i+1:])
			if !isConstant(field.Key) {
				field.Key = p.keep(evaluate, field.Key, targets[i+1:])
			}
		}
	}
	first := len(evaluate.Exprs)
	evaluate.Exprs = append(evaluate.Exprs, values...)
	for range targets {
		evaluate.Names = append(evaluate.Names, tempName(len(evaluate.Names)))
	}
	evaluate.SetLine(line)
	block := &ast.DoBlockStmt{Stmts: []ast.Stmt{evaluate}}
	for i := len(targets) - 1; i >= 0; i-- {
		block.Stmts = append(block.Stmts, assign(targets[i], temp(first+i, line), line))
	}
	return lined(block, line)
}

// keep returns an expression that still has the value of a target's table or key when the assignments are made: itself
// if it is a constant key or a local variable that is no later target, else a temporary.
func (p *parser) keep(evaluate *ast.LocalAssignStmt, e ast.Expr, later []ast.Expr) ast.Expr {
	if p.isLocal(e) && !containsName(later, e) {
		return e
	}
	evaluate.Names = append(evaluate.Names, tempName(len(evaluate.Names)))
	evaluate.Exprs = append(evaluate.Exprs, e)
	return temp(len(evaluate.Exprs)-1, e.Line())
}

// containsName reports whether a name is among expressions.
func containsName(exprs []ast.Expr, e ast.Expr) bool {
	name, ok := e.(*ast.IdentExpr)
	for _, other := range exprs {
		if other, same := other.(*ast.IdentExpr); ok && same && other.Value == name.Value {
			return true
		}
	}
	return false
}

// isConstant reports whether an expression is a literal, which the compiler needs no register for.
func isConstant(e ast.Expr) bool {
	switch e.(type) {
	case *ast.NilExpr, *ast.TrueExpr, *ast.FalseExpr, *ast.NumberExpr, *ast.StringExpr:
		return true
	}
	return false
}

// isFalse reports whether an expression is a literal that counts as false.
func isFalse(e ast.Expr) bool {
	switch e.(type) {
	case *ast.NilExpr, *ast.FalseExpr:
		return true
	}
	return false
}

// tempName returns the name of a temporary. No script can write it, and a block inside may use it again.
func tempName(i int) string { return "(temp " + itoa(i) + ")" }

// temp returns an expression for a temporary.
func temp(i, line int) ast.Expr {
	name := &ast.IdentExpr{Value: tempName(i)}
	name.SetLine(line)
	return name
}

// lined gives a block the lines of the statement that it was made of.
func lined(block *ast.DoBlockStmt, line int) ast.Stmt {
	block.SetLine(line)
	block.SetLastLine(line)
	return block
}
