package luafront

import (
	"github.com/yuin/gopher-lua/ast"
)

// statement reads one statement and reports whether it must be the last of its block.
func (p *parser) statement() (stmt ast.Stmt, last bool) {
	line := p.lex.line
	switch p.tok.kind {
	case tokIf:
		stmt = p.ifStatement(line)
	case tokWhile:
		stmt = p.whileStatement(line)
	case tokDo:
		p.advance()
		stmt = &ast.DoBlockStmt{Stmts: p.block()}
		p.passClosing(tokEnd, tokDo, line)
	case tokFor:
		stmt = p.forStatement(line)
	case tokRepeat:
		stmt = p.repeatStatement(line)
	case tokFunction:
		stmt = p.functionStatement(line)
	case tokLocal:
		p.advance()
		stmt = p.localStatement()
	case tokReturn:
		p.advance()
		stmt, last = p.returnStatement(), true
	case tokBreak:
		p.advance()
		stmt, last = p.breakStatement(), true
	default:
		return p.expressionStatement(line), false
	}
	if stmt.Line() == 0 {
		stmt.SetLine(line)
	}
	stmt.SetLastLine(p.lastLine)
	return stmt, last
}

// ifStatement reads if and its branches.
func (p *parser) ifStatement(line int) ast.Stmt {
	outer := p.branches
	branches := []*ast.IfStmt{p.branch()}
	for p.tok.kind == tokElseif {
		p.branches++
		p.checkChain(p.branches)
		branches = append(branches, p.branch())
	}
	p.branches = outer
	var rest []ast.Stmt
	if p.accept(tokElse) {
		rest = p.block()
	}
	p.passClosing(tokEnd, tokIf, line)
	return chainBranches(branches, rest)
}

// chainBranches builds the tree of gopher-lua, which has each elseif in the else branch of the one before.
func chainBranches(branches []*ast.IfStmt, rest []ast.Stmt) ast.Stmt {
	for i := len(branches) - 1; i > 0; i-- {
		branches[i].Else = rest
		rest = []ast.Stmt{foldIf(branches[i])}
	}
	branches[0].Else = rest
	return foldIf(branches[0])
}

// branch reads "if condition then block" or the same of elseif.
func (p *parser) branch() *ast.IfStmt {
	stmt := &ast.IfStmt{}
	stmt.SetLine(p.lex.line)
	p.advance()
	stmt.Condition = p.expression()
	p.pass(tokThen)
	stmt.Then = p.block()
	return stmt
}

// whileStatement reads "while condition do … end". If the condition is a constant that is false nothing remains: see
// fold.go.
func (p *parser) whileStatement(line int) ast.Stmt {
	p.advance()
	condition := p.expression()
	p.pass(tokDo)
	p.fn.enter(true)
	body := p.chunk()
	p.passClosing(tokEnd, tokWhile, line)
	body = p.leaveLoop(body)
	if isFalse(condition) {
		return &ast.DoBlockStmt{}
	}
	return &ast.WhileStmt{Condition: condition, Stmts: body}
}

// repeatStatement reads "repeat … until condition".
func (p *parser) repeatStatement(line int) ast.Stmt {
	p.fn.enter(true)
	p.advance()
	body := p.chunk()
	p.passClosing(tokUntil, tokRepeat, line)
	condition := p.expression() // sees the variables of the body
	return &ast.RepeatStmt{Condition: condition, Stmts: p.leaveLoop(body)}
}

// leaveLoop closes the block of a loop. gopher-lua makes a break close upvalues only if they belong to the block of the
// loop, so a loop with a break in an inner block gets an upvalue there, in code that never runs.
func (p *parser) leaveLoop(body []ast.Stmt) []ast.Stmt {
	b := p.fn.leave()
	if !b.breaks || !b.captures {
		return padLoop(body)
	}
	const name = "(captured)"
	function := &ast.FunctionExpr{
		ParList: &ast.ParList{Names: []string{}},
		Stmts:   []ast.Stmt{&ast.ReturnStmt{Exprs: []ast.Expr{&ast.IdentExpr{Value: name}}}},
	}
	never := &ast.IfStmt{
		Condition: &ast.FalseExpr{},
		Then:      []ast.Stmt{&ast.LocalAssignStmt{Names: []string{"(never)"}, Exprs: []ast.Expr{function}}},
	}
	declare := &ast.LocalAssignStmt{Names: []string{name}, Exprs: []ast.Expr{}}
	return append([]ast.Stmt{declare, never}, body...)
}

// returnStatement reads what follows the word return, perhaps nothing.
func (p *parser) returnStatement() ast.Stmt {
	if p.atBlockEnd() || p.tok.kind == ';' {
		return &ast.ReturnStmt{}
	}
	return &ast.ReturnStmt{Exprs: p.expressions()}
}

// breakStatement builds a break, for which there must be a loop in this function.
func (p *parser) breakStatement() ast.Stmt {
	if !p.fn.breakOut() {
		p.fail("no loop to break")
	}
	return &ast.BreakStmt{}
}

// functionStatement reads "function a.b:c() … end".
func (p *parser) functionStatement(line int) ast.Stmt {
	p.advance()
	name := &ast.FuncName{Func: p.nameExpression()}
	for p.depth = 1; p.tok.kind == '.'; p.nest(0) {
		name.Func = p.field(name.Func)
	}
	if p.accept(':') {
		name.Receiver, name.Func = name.Func, nil
		name.Method = p.name()
	}
	function := p.functionBody(line, name.Receiver != nil)
	if name.Receiver != nil {
		p.markReceiver(name.Receiver, line)
	} else {
		p.markTarget(name.Func, line)
	}
	return &ast.FuncDefStmt{Name: name, Func: function}
}

// markTarget names the operand of the store into a field of a table. Operand 0 of a node is what it reads from, 1 what
// it stores to.
func (p *parser) markTarget(target ast.Expr, line int) {
	if target, ok := target.(*ast.AttrGetExpr); ok {
		p.atLine(target, line, nil, target.Object)
	}
}

// markReceiver does so for a method, where the compiler gives the store the line of the expression for the object.
func (p *parser) markReceiver(receiver ast.Expr, line int) {
	var object ast.Expr
	if field, ok := receiver.(*ast.AttrGetExpr); ok {
		object = field.Object
	}
	p.atLine(receiver, line, object, receiver)
}

// localStatement reads what follows the word local.
func (p *parser) localStatement() ast.Stmt {
	if p.accept(tokFunction) {
		return p.localFunction()
	}
	stmt := &ast.LocalAssignStmt{Names: p.newLocals(0), Exprs: []ast.Expr{}}
	if p.accept('=') {
		stmt.Exprs = p.expressions()
	}
	p.declare(stmt.Names...)
	if soleFunction(stmt) {
		stmt.Exprs = append(stmt.Exprs, &ast.NilExpr{})
	}
	return stmt
}

// soleFunction reports whether a statement is "local f = function". gopher-lua would make f visible inside the
// function, as is right for "local function f"; a second value, which Lua drops, prevents that.
func soleFunction(stmt *ast.LocalAssignStmt) bool {
	if len(stmt.Names) != 1 || len(stmt.Exprs) != 1 {
		return false
	}
	_, ok := stmt.Exprs[0].(*ast.FunctionExpr)
	return ok
}

// localFunction reads a function that can call itself by its name.
func (p *parser) localFunction() ast.Stmt {
	names := []string{p.newLocal(0)}
	line := p.lex.line
	p.declare(names...)
	return &ast.LocalAssignStmt{Names: names, Exprs: []ast.Expr{p.functionBody(line, false)}}
}

// newLocal reads the name of a new variable; pending is the number of variables read but not yet in scope.
func (p *parser) newLocal(pending int) string {
	name := p.name()
	p.room(pending + 1)
	return name
}

// newLocals reads names separated by commas.
func (p *parser) newLocals(pending int) []string {
	names := []string{p.newLocal(pending)}
	for p.accept(',') {
		names = append(names, p.newLocal(pending+len(names)))
	}
	return names
}
