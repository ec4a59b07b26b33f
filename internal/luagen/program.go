// Package luagen generates random Lua programs for tests: they end, catch most of their errors, and return a log. Lua
// 5.1 defines all that they do, so two interpreters must return the same log.
//
// A program is one line of text, made from a seed. When two interpreters differ, [Program.Shrink] finds the few
// statements that are enough for it. Programs of [Generate] keep to the language and its libraries; those of
// [GenerateTables] are about the tables of Redis' Lua, of which scripts can see more than Lua defines.
package luagen

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
)

// Options select the parts of programs. The zero value is the plain language.
type Options struct {
	// Libraries adds lists, metatables, coroutines, and calls of string, table and math. Without it programs only use
	// the language, select, pcall and error.
	Libraries bool
}

// Show is a function for scripts that writes its arguments as one string, in one line. Adding 0 hides the sign of a
// zero. For a long string it writes the length, so that a program can't use it to build ever longer ones.
const Show = `local function show(...) local out = '' for i = 1, select('#', ...) do local v = select(i, ...) local ` +
	`t = type(v) ` +
	`if t == 'boolean' then v = v and 'true' or 'false' elseif t == 'nil' then v = t elseif t == 'number' then v = v + ` +
	`0 elseif t ~= 'string' then v = t elseif #v > 200 then v = '#' .. #v end ` +
	`out = out .. (i > 1 and ' ' or '') .. v end return out end `

// harness is the start of every program: a log, to which L adds an entry, and fuel, which F uses. Loops and functions
// call F; when the fuel is used up it raises an error, so every program ends.
const harness = Show + `local log, fuel = '', 200 local function L(...) log = log .. show(...) .. ';' end ` +
	`local function F() fuel = fuel - 1 if fuel < 0 then error('fuel', 0) end end `

// Program is a random program, without the statements that Shrink has removed.
type Program struct {
	text       string
	statements []span // each may contain others
	dropped    map[span]bool
}

// span is the position of a statement in the text, in bytes: text[from:to].
type span struct{ from, to int }

// Generate returns the program for a seed: variables of all kinds, then statements in a function with "..." that is
// called once. The same seed and options always give the same program.
func Generate(seed uint64, o Options) *Program {
	g := &generator{rnd: rand.New(rand.NewPCG(seed, 0)), options: o, vararg: true}
	g.write(harness)
	g.write("local function main(...) ")
	for i, value := range []string{"1", "2.5", "'10'", "nil", "{1, 2, 3}", "{k = 7, [1] = true}"} {
		g.write("local %s = %s ", g.declare("nnvvtt"[i:i+1]), value)
	}
	if o.Libraries {
		g.write("local %s, %s = {3, 1, 2}, {'b', 'a'} ", g.declare("l"), g.declare("l"))
	}
	g.body(4, 12)
	g.write("end L(pcall(main, 4, 'five', nil, 6)) return log")
	return &Program{text: g.out.String(), statements: g.statements}
}

// Source returns the text of the program, in one line.
func (p *Program) Source() string {
	var b strings.Builder
	at := 0
	for _, s := range p.statements {
		if p.dropped[s] && s.from >= at {
			b.WriteString(p.text[at:s.from])
			at = s.to
		}
	}
	b.WriteString(p.text[at:])
	return b.String()
}

// Shrink removes statements, large ones first, as long as the program fails, and returns the smallest program that
// fails. It tries all again after a success, since a statement may be needed by another one only.
func (p *Program) Shrink(fails func(source string) bool) *Program {
	short := &Program{text: p.text, statements: slices.Clone(p.statements), dropped: map[span]bool{}}
	slices.SortFunc(short.statements, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	// Source needs the statements in the order of the text, outer ones first; they are tried by size.
	bySize := slices.Clone(short.statements)
	slices.SortStableFunc(bySize, func(a, b span) int { return cmp.Compare(b.to-b.from, a.to-a.from) })
	for shorter := true; shorter; {
		shorter = false
		for _, s := range bySize {
			if short.dropped[s] || short.isRemoved(s) {
				continue
			}
			short.dropped[s] = true
			if fails(short.Source()) {
				shorter = true
			} else {
				delete(short.dropped, s)
			}
		}
	}
	return short
}

// isRemoved reports whether a statement was removed with one that contains it.
func (p *Program) isRemoved(s span) bool {
	for d := range p.dropped {
		if d.from <= s.from && s.to <= d.to {
			return true
		}
	}
	return false
}
