package luafront

import (
	"math"
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// The compiler's jumps go wrong where the beginning of a loop is itself a jump: it follows jumps to jumps by their
// labels, and the earlier one has an offset in place of its label by then. Constant operands and conditions compile to
// such jumps, so they are folded away here; padLoop sees to the rest.

// not negates an expression.
func not(operand ast.Expr) ast.Expr {
	switch {
	case isFalse(operand):
		return &ast.TrueExpr{}
	case isConstant(operand):
		return &ast.FalseExpr{}
	}
	return &ast.UnaryNotOpExpr{Expr: operand}
}

// foldLogical returns what is left of "and" or "or" when the left operand is constant. It has one value, also if it is
// a call.
func foldLogical(operator tokenKind, left, right ast.Expr) ast.Expr {
	if isFalse(left) == (operator == tokAnd) {
		return left
	}
	return oneValue(right)
}

// oneValue makes a call or "..." give one value.
func oneValue(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
	return e
}

// foldIf returns what is left of a branch when its condition is constant.
func foldIf(branch *ast.IfStmt) ast.Stmt {
	taken := branch.Then
	switch {
	case !isConstant(branch.Condition):
		return branch
	case isFalse(branch.Condition):
		taken = branch.Else
	}
	block := &ast.DoBlockStmt{Stmts: taken}
	block.SetLine(branch.Line())
	return block
}

// padLoop inserts an instruction before a jump at the start of the body of a loop.
func padLoop(body []ast.Stmt) []ast.Stmt {
	if !beginsWithBreak(body) {
		return body
	}
	pad := &ast.LocalAssignStmt{Names: []string{"(pad)"}, Exprs: []ast.Expr{}}
	return append([]ast.Stmt{pad}, body...)
}

// beginsWithBreak reports whether the first instruction of statements is a break.
func beginsWithBreak(stmts []ast.Stmt) bool {
	for _, stmt := range stmts {
		switch stmt := stmt.(type) {
		case *ast.BreakStmt:
			return true
		case *ast.DoBlockStmt:
			if compilesToNothing(stmt) {
				continue
			}
			return beginsWithBreak(stmt.Stmts)
		}
		return false
	}
	return false
}

// compilesToNothing reports whether a block has no statements but such blocks.
func compilesToNothing(block *ast.DoBlockStmt) bool {
	for _, stmt := range block.Stmts {
		inner, ok := stmt.(*ast.DoBlockStmt)
		if !ok || !compilesToNothing(inner) {
			return false
		}
	}
	return true
}

// remainderOf computes a "%" of constants by the formula of Lua. The compiler of gopher-lua uses another one (see
// modulo). nil means that an operand is not a constant.
func remainderOf(left, right ast.Expr) ast.Expr {
	a, okA := constantNumber(left)
	b, okB := constantNumber(right)
	if !okA || !okB {
		return nil
	}
	if result := modulo(a, b); !math.IsNaN(result) {
		return &ast.NumberExpr{Value: numeral(result)}
	}
	// Lua leaves this to run time. So does gopher-lua if an operand is not plainly a number.
	hidden := &ast.LogicalOpExpr{Operator: "and", Lhs: &ast.TrueExpr{}, Rhs: left}
	return &ast.ArithmeticOpExpr{Operator: "%", Lhs: hidden, Rhs: right}
}

// constantNumber returns the value of an expression of numbers alone.
func constantNumber(e ast.Expr) (float64, bool) {
	switch e := e.(type) {
	case *ast.NumberExpr:
		n, err := strconv.ParseFloat(e.Value, 64)
		return n, err == nil
	case *ast.UnaryMinusOpExpr:
		n, ok := constantNumber(e.Expr)
		return -n, ok
	case *ast.ArithmeticOpExpr:
		a, okA := constantNumber(e.Lhs)
		b, okB := constantNumber(e.Rhs)
		return arithmeticOf(e.Operator, a, b), okA && okB
	}
	return 0, false
}

// arithmeticOf computes an operation of two numbers as the machine does.
func arithmeticOf(operator string, a, b float64) float64 {
	switch operator {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "/":
		return a / b
	case "^":
		return math.Pow(a, b)
	}
	return modulo(a, b)
}

// numeral formats a number for the compiler of gopher-lua, which reads a leading 0 as octal.
func numeral(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
