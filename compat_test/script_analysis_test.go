package compat

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// scriptPlan is what reading a script has told.
type scriptPlan struct {
	keys, args *node
	keyNames   values          // all values that are used as a key's name
	commands   map[string]bool // all commands that it calls, those that arguments name as far as they can be guessed
}

// planOf reads a script.
func planOf(script string) (*scriptPlan, error) {
	chunk, err := parse.Parse(strings.NewReader(script), "script")
	if err != nil {
		return nil, err
	}
	plan := &scriptPlan{keys: &node{kind: rootNode}, args: &node{kind: rootNode}, commands: map[string]bool{}}
	r := &scriptReader{plan: plan, scopes: map[*ast.FunctionExpr]map[string]values{}, made: map[ast.Expr]*node{},
		functions: map[string]*ast.FunctionExpr{}, returns: map[*ast.FunctionExpr][]values{}, loops: map[string]loopElements{}}
	r.set(nil, "KEYS", values{plan.keys})
	r.set(nil, "ARGV", values{plan.args})
	for range readingPasses {
		r.removed = 0
		r.statements(chunk)
	}
	return plan, nil
}

// readingPasses is how often a script is read: a value may go through variables that are assigned further down, in a
// function or in the next turn of a loop.
const readingPasses = 6

// scriptReader follows values through a script.
type scriptReader struct {
	plan      *scriptPlan
	scopes    map[*ast.FunctionExpr]map[string]values // variables of each function; nil is the script itself
	functions map[string]*ast.FunctionExpr
	returns   map[*ast.FunctionExpr][]values
	loops     map[string]loopElements // variables of loops with known start and step
	made      map[ast.Expr]*node      // nodes of tables, replies and joined texts, by where they are made
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

// here is the function whose statements are being read.
func (r *scriptReader) here() *ast.FunctionExpr {
	if len(r.within) == 0 {
		return nil
	}
	return r.within[len(r.within)-1]
}

// set adds to what a variable of a function may be.
func (r *scriptReader) set(f *ast.FunctionExpr, name string, v values) {
	if r.scopes[f] == nil {
		r.scopes[f] = map[string]values{}
	}
	r.scopes[f][name] = r.scopes[f][name].with(v...)
}

// owner is the innermost function that has a variable.
func (r *scriptReader) owner(name string) *ast.FunctionExpr {
	for _, f := range slices.Backward(r.within) {
		if _, ok := r.scopes[f][name]; ok {
			return f
		}
	}
	return nil
}

// assign gives a variable or an element of a table its value.
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

// batch is the least step of loops that unpack thousands of elements at a time: what they do to one they do to all.
const batch = 1000

func number(e ast.Expr) (int, bool) {
	n, ok := e.(*ast.NumberExpr)
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(n.Value)
	return i, err == nil
}

// genericFor knows ipairs and pairs.
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

// list evaluates expressions to n values; a call in the last place may give several.
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

// value is what one expression may stand for.
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

func nonLiteral(v values) values {
	var requireRefused values
	for _, n := range v {
		if n.kind != literalNode {
			requireRefused = append(requireRefused, n)
		}
	}
	return requireRefused
}

// node is the one of an expression that makes something.
func (r *scriptReader) node(e ast.Expr, kind nodeKind) *node {
	if r.made[e] == nil {
		r.made[e] = &node{kind: kind}
	}
	return r.made[e]
}

func (r *scriptReader) literal(e ast.Expr, text string) *node {
	n := r.node(e, literalNode)
	n.text = text
	return n
}

// negative is the literal behind a minus sign, with the sign.
func (r *scriptReader) negative(e *ast.UnaryMinusOpExpr) *node {
	if n, ok := e.Expr.(*ast.NumberExpr); ok {
		return r.literal(e, "-"+n.Value)
	}
	return r.literal(e, "-1")
}

func (r *scriptReader) join(e *ast.StringConcatOpExpr) *node {
	n := r.node(e, joinedNode)
	n.parts = []values{r.value(e.Lhs), r.value(e.Rhs)}
	return n
}

func (r *scriptReader) table(e *ast.TableExpr) *node {
	n := r.node(e, tableNode)
	for i, f := range e.Fields {
		key := strconv.Itoa(i + 1)
		if f.Key != nil {
			key, _ = r.value(f.Key).text()
		}
		n.put(key, r.value(f.Value))
	}
	return n
}

func (r *scriptReader) compare(e *ast.RelationalOpExpr) {
	left, right := r.value(e.Lhs), r.value(e.Rhs)
	if e.Operator == "==" || e.Operator == "~=" {
		left.compared(right)
		right.compared(left)
		return
	}
	left.mark(asNumber)
	right.mark(asNumber)
}

// index is an element of KEYS, ARGV, a reply or another table, or a function of redis.
func (r *scriptReader) index(e *ast.AttrGetExpr) values {
	if object, name := member(e); object == "redis" && (name == "call" || name == "pcall") {
		return values{{kind: commandNode}}
	}
	object := r.value(e.Object)
	if start, step, ok := r.looped(e.Key); ok {
		return object.elements(func(n *node) values {
			if n.kind != rootNode {
				return n.every()
			}
			return n.loopElement(start+r.shift(n), step)
		})
	}
	if key, ok := r.value(e.Key).text(); ok {
		return object.elements(func(n *node) values { return n.indexed(r.shifted(n, key)) })
	}
	return object.elements((*node).every)
}

// indexed is an element by index or name, and those whose index is not known.
func (n *node) indexed(key string) values {
	v := n.element(key)
	if n.kind != rootNode {
		v = v.with(n.rest...)
	}
	return v
}

// shifted is the index that an element of ARGV had before others were removed from the front.
func (r *scriptReader) shifted(n *node, key string) string {
	i, err := strconv.Atoi(key)
	if err != nil {
		return key
	}
	return strconv.Itoa(i + r.shift(n))
}

// shift is how many elements were removed from the front.
func (r *scriptReader) shift(n *node) int {
	if n != r.plan.args {
		return 0
	}
	return r.removed
}

// looped tells which elements an index goes through: that of a loop's variable, or of one plus or minus a number.
func (r *scriptReader) looped(e ast.Expr) (start, step int, ok bool) {
	offset := 0
	if sum, arithmetic := e.(*ast.ArithmeticOpExpr); arithmetic {
		n, known := number(sum.Rhs)
		if !known || sum.Operator != "+" && sum.Operator != "-" {
			return 0, 0, false
		}
		if offset = n; sum.Operator == "-" {
			offset = -n
		}
		e = sum.Lhs
	}
	name, named := e.(*ast.IdentExpr)
	if !named {
		return 0, 0, false
	}
	loop, ok := r.loops[name.Value]
	return loop.start + offset, loop.step, ok
}
