package luafront

import (
	"github.com/yuin/gopher-lua/ast"
)

// parser reads Lua 5.1 by recursive descent and builds the syntax tree of gopher-lua. Its errors are those of the
// parser of Lua (lparser.c), at the same positions. maxLevels bounds recursion and maxChain chains.
//
// Errors are panics with a *SyntaxError, which Compile recovers: so no function has to return them.
type parser struct {
	lex      lexer
	tok      token // the current one
	ahead    token // the one behind it, if hasAhead
	hasAhead bool
	tokens   int // read so far
	lastLine int // of the token before the current one
	level    int // how deep the parser is in calls of itself
	branches int // elseif branches around the current token
	depth    int // of nodes inside one another in the expression read last
	fn       *scope
	sites    []site
}

// parse reads a whole chunk. It panics with a *SyntaxError.
func (p *parser) parse() []ast.Stmt {
	p.fn = &scope{vararg: true}
	p.lastLine = 1
	p.advance()
	p.fn.enter(false)
	stmts := p.chunk()
	p.expect(tokEOF)
	return stmts
}

// advance reads the next token.
func (p *parser) advance() {
	p.lastLine = p.lex.line
	if p.hasAhead {
		p.tok, p.hasAhead = p.ahead, false
		return
	}
	p.tok = p.lex.next()
	if p.tokens++; p.tokens > maxTokens {
		p.lex.fail("not enough memory", "")
	}
}

// lookAhead returns the kind of the token behind the current one.
func (p *parser) lookAhead() tokenKind {
	p.ahead, p.hasAhead = p.lex.next(), true
	return p.ahead.kind
}

// accept skips the current token if it is of that kind, and reports whether it was.
func (p *parser) accept(kind tokenKind) bool {
	if p.tok.kind != kind {
		return false
	}
	p.advance()
	return true
}

// expect fails unless the current token is of that kind.
func (p *parser) expect(kind tokenKind) {
	if p.tok.kind != kind {
		p.fail("'" + kind.text() + "' expected")
	}
}

// pass expects a token and skips it.
func (p *parser) pass(kind tokenKind) {
	p.expect(kind)
	p.advance()
}

// passClosing skips the token that closes what another one opened on a line. If that was another line, the message says
// which.
func (p *parser) passClosing(closing, opening tokenKind, line int) {
	if p.tok.kind != closing && line != p.lex.line {
		p.fail("'" + closing.text() + "' expected (to close '" + opening.text() + "' at line " + itoa(line) + ")")
	}
	p.pass(closing)
}

// name skips a name and returns it.
func (p *parser) name() string {
	p.expect(tokName)
	name := p.tok.value
	p.constant(name)
	p.advance()
	return name
}

// fail raises a SyntaxError near the current token.
func (p *parser) fail(message string) {
	p.lex.fail(message, p.near())
}

// near returns the current token for messages: names and numbers as written, strings with their quotes.
func (p *parser) near() string {
	source := p.lex.src[p.tok.start:p.tok.end]
	switch p.tok.kind {
	case tokName, tokNumber:
		return source
	case tokString:
		return quoted(source, p.tok.value)
	}
	return p.tok.kind.text()
}

// quoted puts the value of a string between the delimiters that it has in the source.
func quoted(source, value string) string {
	delimiter := 1
	if source[0] == '[' {
		delimiter = 2
		for source[delimiter-1] == '=' {
			delimiter++
		}
	}
	return source[:delimiter] + value + source[len(source)-delimiter:]
}

// enterLevel counts what makes the parser call itself.
func (p *parser) enterLevel() {
	p.level++
	if p.level > maxLevels {
		p.lex.fail(tooManyLevels, "")
	}
}

// leaveLevel ends what enterLevel has counted.
func (p *parser) leaveLevel() { p.level-- }

// checkChain bounds what makes the compiler call itself.
func (p *parser) checkChain(length int) {
	if length > maxChain {
		p.lex.fail(tooManyLevels, "")
	}
}

// nest notes that the expression read last became a part of a node that also holds one of that depth.
func (p *parser) nest(depth int) {
	p.depth = max(p.depth, depth) + 1
	p.checkChain(p.depth)
}

// tooManyLevels is the message of Lua for nesting beyond maxLevels.
const tooManyLevels = "chunk has too many syntax levels"

// chunk reads statements up to the end of a block.
func (p *parser) chunk() []ast.Stmt {
	p.enterLevel()
	stmts := []ast.Stmt{}
	for last := false; !last && !p.atBlockEnd(); {
		var stmt ast.Stmt
		stmt, last = p.statement()
		stmts = append(stmts, stmt)
		p.accept(';')
	}
	p.leaveLevel()
	return stmts
}

// block reads statements that have their own scope.
func (p *parser) block() []ast.Stmt {
	p.fn.enter(false)
	stmts := p.chunk()
	p.fn.leave()
	return stmts
}

// atBlockEnd reports whether the current token ends a block (block_follow in lparser.c).
func (p *parser) atBlockEnd() bool {
	switch p.tok.kind {
	case tokElse, tokElseif, tokEnd, tokUntil, tokEOF:
		return true
	}
	return false
}
