package compat

import (
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

func nonLiteral(v values) values {
	var requireNotAcquired values
	for _, n := range v {
		if n.kind != literalNode {
			requireNotAcquired = append(requireNotAcquired, n)
		}
	}
	return requireNotAcquired
}

// node returns the node of an expression that makes a value.
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

// negative returns the literal after a minus sign, with the sign.
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

// index returns an element of KEYS, ARGV, a reply or another table, or a function of redis.
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

// indexed returns an element by index or name, and those with unknown indexes.
func (n *node) indexed(key string) values {
	v := n.element(key)
	if n.kind != rootNode {
		v = v.with(n.rest...)
	}
	return v
}

// shifted returns the index of an element of ARGV before others were removed from the front.
func (r *scriptReader) shifted(n *node, key string) string {
	i, err := strconv.Atoi(key)
	if err != nil {
		return key
	}
	return strconv.Itoa(i + r.shift(n))
}

// shift returns how many elements were removed from the front.
func (r *scriptReader) shift(n *node) int {
	if n != r.plan.args {
		return 0
	}
	return r.removed
}

// looped returns the elements that an index reads: that of a loop's variable, plus or minus a number.
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
