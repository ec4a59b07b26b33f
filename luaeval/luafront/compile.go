package luafront

import (
	"errors"
	"fmt"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// Compile compiles a source to a function prototype, which any number of states may run at the same time. The name of
// the chunk is given as Lua takes it ("@user_script"); positions in messages show ChunkID of it. The error is a
// *SyntaxError in the words of Lua 5.1. No source makes it panic or overflow the stack, but the time for a source with
// n different constants grows with n².
func Compile(source, chunk string) (proto *lua.FunctionProto, err error) {
	p := &parser{lex: lexer{src: source, chunk: chunkID(chunk, maxSyntaxID), line: 1}}
	defer func() {
		if cause := recover(); cause != nil {
			proto, err = nil, p.caught(cause)
		}
	}()
	proto, err = lua.Compile(p.parse(), ChunkID(chunk))
	if err != nil {
		return nil, p.compileError(err)
	}
	// In Redis main chunks have no local variable "arg". Without it a call of one costs a table less.
	proto.IsVarArg &^= lua.VarArgNeedsArg
	p.resolveSites(proto)
	return proto, nil
}

// caught converts a panic of the compiler to an error. Any but a SyntaxError is a bug of this package or of gopher-lua.
func (p *parser) caught(cause any) error {
	if failure, ok := cause.(*SyntaxError); ok {
		return failure
	}
	return fmt.Errorf("%s:%d: internal error while compiling: %v", p.lex.chunk, p.lex.line, cause)
}

// compileError converts an error of the compiler of gopher-lua. After the checks of the parser it can only be too many
// registers.
func (p *parser) compileError(err error) error {
	line := p.lex.line
	var compile *lua.CompileError
	if errors.As(err, &compile) && compile.Line != 0 {
		line = p.siteOf(compile.Line).line
	}
	return newSyntaxError(p.lex.chunk, line, "function or expression too complex", tokEOF.text())
}

// resolveSites replaces the line numbers that stand for sites: it sets the real lines and the names of operands, and
// corrects the list instructions that gopher-lua emits wrongly.
func (p *parser) resolveSites(proto *lua.FunctionProto) {
	proto.DbgLocals = proto.DbgLocals[:0]
	for pc, line := range proto.DbgSourcePositions {
		if line >= 0 {
			continue
		}
		s := p.siteOf(line)
		proto.DbgSourcePositions[pc] = s.line
		if s.setList != 0 && opcode(proto.Code[pc]) == lua.OP_SETLIST {
			proto.Code[pc] = withSetList(proto.Code[pc], s.setList)
		}
		if s.sizes != nil && opcode(proto.Code[pc]) == lua.OP_NEWTABLE {
			proto.Code[pc] = withSizes(proto.Code[pc], s.sizes)
		}
		addNames(proto, pc, s.operands)
	}
	trim(proto)
	for _, inner := range proto.FunctionPrototypes {
		p.resolveSites(inner)
	}
}

// trim frees the spare capacity that the compiler of gopher-lua leaves in a prototype: four fifths of the size of a
// short script.
func trim(proto *lua.FunctionProto) {
	proto.Code = slices.Clone(proto.Code)
	proto.Constants = slices.Clone(proto.Constants)
	proto.FunctionPrototypes = slices.Clone(proto.FunctionPrototypes)
	proto.DbgSourcePositions = slices.Clone(proto.DbgSourcePositions)
	proto.DbgLocals = slices.Clone(proto.DbgLocals)
	proto.DbgCalls = slices.Clone(proto.DbgCalls)
	proto.DbgUpvalues = slices.Clone(proto.DbgUpvalues)
}

// withSetList returns an OP_SETLIST with another operand C, or an instruction that does nothing.
func withSetList(inst uint32, setList int) uint32 {
	if setList == dropSetList {
		return uint32(lua.OP_NOP) << 26
	}
	const maskC = 0x1ff << 9
	return inst&^maskC | uint32(setList)<<9
}

// addNames keeps the names of the operands of an instruction for messages. They go where gopher-lua keeps the ranges of
// local variables, which it gets wrong and which only its debug library reads: StartPc is the instruction, EndPc holds
// operand and kind.
func addNames(proto *lua.FunctionProto, pc int, operands []operand) {
	for i, o := range operands {
		if o.kind != nameNone {
			proto.DbgLocals = append(proto.DbgLocals, &lua.DbgLocalInfo{Name: o.name, StartPc: pc, EndPc: i<<4 | int(o.kind)})
		}
	}
}

// operandAt returns the name of an operand of an instruction, if it has one.
func operandAt(proto *lua.FunctionProto, pc, index int) operand {
	for _, info := range proto.DbgLocals {
		if info.StartPc == pc && info.EndPc>>4 == index {
			return operand{nameKind(info.EndPc & 0xf), info.Name}
		}
	}
	return operand{}
}
