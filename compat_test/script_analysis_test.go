package compat

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// scriptPlan is what is known about a script.
type scriptPlan struct {
	keys, args *node
	keyNames   values          // all values that name keys
	commands   map[string]bool // all commands that it calls; those that arguments name are guessed
}

// planOf analyses a script.
func planOf(script string) (*scriptPlan, error) {
	chunk, err := parse.Parse(strings.NewReader(script), "script")
	if err != nil {
		return nil, err
	}
	plan := &scriptPlan{keys: &node{kind: rootNode}, args: &node{kind: rootNode}, commands: map[string]bool{}}
	r := &scriptReader{plan: plan, scopes: map[*ast.FunctionExpr]map[string]values{}, made: map[ast.Expr]*node{},
		functions: map[string]*ast.FunctionExpr{}, returns: map[*ast.FunctionExpr][]values{},
		loops: map[string]loopElements{}}
	r.set(nil, "KEYS", values{plan.keys})
	r.set(nil, "ARGV", values{plan.args})
	for range readingPasses {
		r.removed = 0
		r.statements(chunk)
	}
	return plan, nil
}

// readingPasses is how often a script is read: a value may go through variables that are assigned later, in a function
// or in the next iteration of a loop.
const readingPasses = 6

// scriptReader follows the values in a script.
type scriptReader struct {
	plan      *scriptPlan
	scopes    map[*ast.FunctionExpr]map[string]values // variables of each function; nil is the script itself
	functions map[string]*ast.FunctionExpr
	returns   map[*ast.FunctionExpr][]values
	loops     map[string]loopElements // variables of loops with known start and step
	made      map[ast.Expr]*node      // nodes of tables, replies and concatenations, by expression
	within    []*ast.FunctionExpr
	removed   int // elements taken from the front of ARGV
}

func (r *scriptReader) statements(list []ast.Stmt) {
	for _, s := range list {
		r.statement(s)
	}
}

func (r *scriptReader) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.LocalAssignStmt:
		r.assignLocal(s)
	case *ast.AssignStmt:
		r.assignAll(s)
	case *ast.FuncCallStmt:
		r.value(s.Expr)
	case *ast.DoBlockStmt:
		r.statements(s.Stmts)
	case *ast.WhileStmt:
		r.value(s.Condition)
		r.statements(s.Stmts)
	case *ast.RepeatStmt:
		r.value(s.Condition)
		r.statements(s.Stmts)
	case *ast.IfStmt:
		r.value(s.Condition)
		r.statements(s.Then)
		r.statements(s.Else)
	case *ast.NumberForStmt:
		r.numberFor(s)
	case *ast.GenericForStmt:
		r.genericFor(s)
	case *ast.FuncDefStmt:
		if name, ok := s.Name.Func.(*ast.IdentExpr); ok {
			r.define(name.Value, s.Func)
		}
	case *ast.ReturnStmt:
		r.leave(s)
	}
}

func (r *scriptReader) assignAll(s *ast.AssignStmt) {
	name, named := s.Lhs[0].(*ast.IdentExpr)
	if f, ok := oneFunction(s.Rhs); ok && named {
		r.define(name.Value, f)
		return
	}
	for i, v := range r.list(s.Rhs, len(s.Lhs)) {
		r.assign(s.Lhs[i], v)
	}
}

func (r *scriptReader) assignLocal(s *ast.LocalAssignStmt) {
	if f, ok := oneFunction(s.Exprs); ok {
		r.define(s.Names[0], f)
		return
	}
	for i, v := range r.list(s.Exprs, len(s.Names)) {
		r.set(r.here(), s.Names[i], v)
	}
}

func oneFunction(exprs []ast.Expr) (*ast.FunctionExpr, bool) {
	if len(exprs) != 1 {
		return nil, false
	}
	f, ok := exprs[0].(*ast.FunctionExpr)
	return f, ok
}

// here returns the function that is being read.
func (r *scriptReader) here() *ast.FunctionExpr {
	if len(r.within) == 0 {
		return nil
	}
	return r.within[len(r.within)-1]
}

// set adds possible values to a variable of a function.
func (r *scriptReader) set(f *ast.FunctionExpr, name string, v values) {
	if r.scopes[f] == nil {
		r.scopes[f] = map[string]values{}
	}
	r.scopes[f][name] = r.scopes[f][name].with(v...)
}

// owner returns the innermost function that has a variable.
func (r *scriptReader) owner(name string) *ast.FunctionExpr {
	for _, f := range slices.Backward(r.within) {
		if _, ok := r.scopes[f][name]; ok {
			return f
		}
	}
	return nil
}

// assign assigns to a variable or an element of a table.
func (r *scriptReader) assign(target ast.Expr, v values) {
	switch target := target.(type) {
	case *ast.IdentExpr:
		r.set(r.owner(target.Value), target.Value, v)
	case *ast.AttrGetExpr:
		key, known := r.value(target.Key).text()
		for _, n := range r.value(target.Object) {
			switch {
			case n.kind != tableNode:
			case known:
				n.put(key, v)
			default:
				n.rest = n.rest.with(v...)
			}
		}
	}
}

func (n *node) put(name string, v values) {
	if n.named == nil {
		n.named = map[string]values{}
	}
	n.named[name] = n.named[name].with(v...)
}

func (r *scriptReader) define(name string, f *ast.FunctionExpr) {
	r.functions[name] = f
	r.within = append(r.within, f)
	r.statements(f.Stmts)
	r.within = r.within[:len(r.within)-1]
}

func (r *scriptReader) leave(s *ast.ReturnStmt) {
	all := r.list(s.Exprs, len(s.Exprs))
	f := r.here()
	for i, v := range all {
		if i == len(r.returns[f]) {
			r.returns[f] = append(r.returns[f], nil)
		}
		r.returns[f][i] = r.returns[f][i].with(v...)
	}
}

func (r *scriptReader) numberFor(s *ast.NumberForStmt) {
	r.value(s.Init).with(r.value(s.Limit)...).mark(asNumber | asLoop)
	start, known := number(s.Init)
	step := 1
	if s.Step != nil {
		var ok bool
		step, ok = number(s.Step)
		known = known && ok
	}
	if step >= batch {
		step = 1
	}
	delete(r.loops, s.Name)
	if known && step > 0 {
		r.loops[s.Name] = loopElements{start: start, step: step}
	}
	r.statements(s.Stmts)
	delete(r.loops, s.Name)
}

// batch is the lowest step of loops that unpack 1,000 and more elements at a time. They are read with step 1.
const batch = 1000

func number(e ast.Expr) (int, bool) {
	n, ok := e.(*ast.NumberExpr)
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(n.Value)
	return i, err == nil
}

// genericFor reads loops over ipairs and pairs.
func (r *scriptReader) genericFor(s *ast.GenericForStmt) {
	v := r.list(s.Exprs, 1)[0]
	call, ok := s.Exprs[0].(*ast.FuncCallExpr)
	if ok && len(call.Args) > 0 && len(s.Names) > 1 {
		if _, name := member(call.Func); name == "ipairs" || name == "pairs" {
			r.set(r.here(), s.Names[1], v)
		}
	}
	r.statements(s.Stmts)
}

// list returns the values of n expressions; the last one may be a call with several results.
func (r *scriptReader) list(exprs []ast.Expr, n int) []values {
	all := make([]values, 0, n)
	for i, e := range exprs {
		if call, ok := e.(*ast.FuncCallExpr); ok && i == len(exprs)-1 {
			all = append(all, r.call(call)...)
			continue
		}
		all = append(all, r.value(e))
	}
	for len(all) < n {
		all = append(all, nil)
	}
	return all[:n]
}

// value returns the possible values of an expression.
func (r *scriptReader) value(e ast.Expr) values {
	switch e := e.(type) {
	case *ast.StringExpr:
		return values{r.literal(e, e.Value)}
	case *ast.NumberExpr:
		return values{r.literal(e, e.Value)}
	case *ast.IdentExpr:
		return r.scopes[r.owner(e.Value)][e.Value]
	case *ast.AttrGetExpr:
		return r.index(e)
	case *ast.FuncCallExpr:
		if all := r.call(e); len(all) > 0 {
			return all[0]
		}
	case *ast.LogicalOpExpr:
		return r.value(e.Lhs).with(r.value(e.Rhs)...)
	case *ast.RelationalOpExpr:
		r.compare(e)
	case *ast.StringConcatOpExpr:
		return values{r.join(e)}
	case *ast.ArithmeticOpExpr:
		return nonLiteral(r.value(e.Lhs).with(r.value(e.Rhs)...).mark(asNumber))
	case *ast.UnaryMinusOpExpr:
		return values{r.negative(e)}.with(nonLiteral(r.value(e.Expr).mark(asNumber))...)
	case *ast.UnaryNotOpExpr:
		r.value(e.Expr)
	case *ast.UnaryLenOpExpr:
		r.value(e.Expr)
	case *ast.TableExpr:
		return values{r.table(e)}
	}
	return nil
}
