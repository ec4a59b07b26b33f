package luafront

import "github.com/yuin/gopher-lua/ast"

// The parser keeps track of variables as lparser.c does, though gopher-lua will do so once more: the limits must be
// found with the messages of Lua, the names of operands must be known, and assignments are built by what is local.

// Limits of Lua 5.1 (luaconf.h) with errors that scripts can get, and some of this package.
const (
	maxLevels   = 200 // LUAI_MAXCCALLS: blocks, functions, parentheses and operators inside one another
	maxLocals   = 200 // LUAI_MAXVARS
	maxUpvalues = 60  // LUAI_MAXUPVALUES

	// maxChain bounds what Lua reads in a loop but gopher-lua compiles by recursion: a+b+c…, a.b.c…, elseif. Without it a
	// long enough source overflows the Go stack, which ends the process.
	maxChain = 2000

	// maxTokens bounds the size of a chunk: while it is compiled, each token may take several 100 bytes.
	maxTokens = 1 << 20

	// maxConstants bounds the constants of a function, for which the compiler of gopher-lua needs time quadratic in their
	// number. The limit of Lua is 262,144.
	maxConstants = 1 << 14
)

// scope is the function being read: its local variables in scope and its open blocks.
type scope struct {
	outer    *scope
	line     int // of the word "function", 0 for the main chunk
	vararg   bool
	locals   []local
	blocks   []block
	upvalues []upvalue

	constants int                 // names, strings and numbers so far
	different map[string]struct{} // of them, once there are many
}

// local is a variable in scope. A variable is read before it is in scope: "local x = x" reads the outer one.
type local struct {
	name     string
	captured bool // by a function inside
}

// upvalue identifies a variable of an outer function by its place.
type upvalue struct {
	owner *scope
	slot  int
}

// block is an open block: where its variables begin, and what gopher-lua forgets about loops.
type block struct {
	firstLocal int
	loop       bool
	breaks     bool // a break leaves it from a block further in
	captures   bool // a function captured a variable of it or of a block further in
}

// enter opens a block.
func (s *scope) enter(loop bool) {
	s.blocks = append(s.blocks, block{firstLocal: len(s.locals), loop: loop})
}

// leave closes the innermost block and returns it.
func (s *scope) leave() block {
	last := s.blocks[len(s.blocks)-1]
	s.blocks = s.blocks[:len(s.blocks)-1]
	for _, v := range s.locals[last.firstLocal:] {
		last.captures = last.captures || v.captured
	}
	s.locals = s.locals[:last.firstLocal]
	if n := len(s.blocks); n > 0 && last.captures {
		s.blocks[n-1].captures = true
	}
	return last
}

// find returns the slot of the innermost variable of that name in this function, or -1.
func (s *scope) find(name string) int {
	for i := len(s.locals) - 1; i >= 0; i-- {
		if s.locals[i].name == name {
			return i
		}
	}
	return -1
}

// breakOut notes a break and reports whether there is a loop to leave.
func (s *scope) breakOut() bool {
	for i := len(s.blocks) - 1; i >= 0; i-- {
		if s.blocks[i].loop {
			s.blocks[i].breaks = s.blocks[i].breaks || i < len(s.blocks)-1
			return true
		}
	}
	return false
}

// resolve returns what a name stands for at this point, and notes that a function captures it.
func (p *parser) resolve(name string) nameKind {
	if p.fn.find(name) >= 0 {
		return nameLocal
	}
	for owner := p.fn.outer; owner != nil; owner = owner.outer {
		if slot := owner.find(name); slot >= 0 {
			owner.locals[slot].captured = true
			p.capture(upvalue{owner, slot})
			return nameUpvalue
		}
	}
	return nameGlobal
}

// capture enters a variable in the upvalues of every function between its owner and the current one.
func (p *parser) capture(v upvalue) {
	for s := p.fn; s != v.owner; s = s.outer {
		if !s.has(v) {
			p.limit(s, len(s.upvalues)+1, maxUpvalues, "upvalues")
			s.upvalues = append(s.upvalues, v)
		}
	}
}

// has reports whether a variable is among the upvalues of a function.
func (s *scope) has(v upvalue) bool {
	for _, known := range s.upvalues {
		if known == v {
			return true
		}
	}
	return false
}

// constant counts a constant of the current function, precisely only when there are many.
func (p *parser) constant(text string) {
	s := p.fn
	if s.constants++; s.constants <= maxConstants {
		return
	}
	if s.different == nil {
		s.different = make(map[string]struct{})
	}
	if s.different[text] = struct{}{}; len(s.different) > maxConstants {
		p.lex.fail("constant table overflow", "")
	}
}

// declare adds variables to the scope.
func (p *parser) declare(names ...string) {
	for _, name := range names {
		p.fn.locals = append(p.fn.locals, local{name: name})
	}
}

// room fails if a function can't have that many further variables.
func (p *parser) room(pending int) {
	p.limit(p.fn, len(p.fn.locals)+pending, maxLocals, "local variables")
}

// limit raises the error of Lua if a function exceeds a limit.
func (p *parser) limit(s *scope, have, allowed int, what string) {
	if have <= allowed {
		return
	}
	where := "main function"
	if s.line > 0 {
		where = "function at line " + itoa(s.line)
	}
	p.lex.fail(where+" has more than "+itoa(allowed)+" "+what, "")
}

// isLocal reports whether an expression is just a local variable of the current function.
func (p *parser) isLocal(e ast.Expr) bool {
	name, ok := e.(*ast.IdentExpr)
	return ok && p.fn.find(name.Value) >= 0
}
