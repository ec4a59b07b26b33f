package luagen

import (
	"fmt"
	"math/rand/v2"
)

// These programs aim at the limits of the table of Lua: sizes around powers of two, where the parts are made anew, keys
// that could be in the list or in the hash, and constructors, unpack and functions of libraries, each of which gives a
// table its first sizes in its own way. They need Redis, as some of them call commands.

// GenerateTables returns the program for a seed that fills tables with holes, clears and extends them, and logs their
// lengths and order. Lua does not define these, so only interpreters with the same tables agree. The programs stop the
// garbage collector of Lua, which removes cleared string keys at a time that depends on earlier scripts.
func GenerateTables(seed uint64) *Program {
	g := &tableGenerator{generator{rnd: rand.New(rand.NewPCG(seed, 1))}}
	g.write(harness)
	g.write("collectgarbage('stop') local function many(n, ...) if n == 0 then return ... end return many(n - 1, n, " +
		"...) end ")
	g.write("local function main(...) ")
	for range 1 + g.rnd.IntN(3) {
		g.write("local %s = %s ", g.declare("t"), g.constructor())
	}
	for n := 3 + g.rnd.IntN(25); n > 0; n-- {
		from := g.out.Len()
		g.statement()
		g.statements = append(g.statements, span{from, g.out.Len()})
	}
	for _, t := range g.vars {
		g.write("L('end', #%s, unpack(%s)) for k, v in pairs(%s) do L(k, v) end ", t, t, t)
	}
	g.write("end L(pcall(main, 4, nil, 'five', nil, 6)) collectgarbage('restart') return log")
	return &Program{text: g.out.String(), statements: g.statements}
}

// tableGenerator writes programs with tables t1…, most of whose elements are constants: what matters is where they are.
type tableGenerator struct{ generator }

// constructor writes a table with nil, fields and results of calls as elements. The last one may have any number of
// values.
func (g *tableGenerator) constructor() string {
	fields := ""
	for n := g.rnd.IntN(g.upTo(3, 6, 20, 60)); n > 0; n-- {
		switch g.rnd.IntN(9) {
		case 0:
			fields += fmt.Sprintf("[%s] = %s, ", g.key(), g.value())
		case 1:
			fields += fmt.Sprintf("%s = %s, ", g.choose("a", "b", "key", "x1"), g.value())
		case 2:
			fields += "nil, "
		case 3:
			fields += "(many(3)), "
		default:
			fields += g.value() + ", "
		}
	}
	return "{" + fields + g.choose("", "", "", "...", "many("+fmt.Sprint(g.rnd.IntN(60))+")", "nil", "nil, 7") + "}"
}

// upTo returns one of the limits, so that small sizes are as frequent as large ones.
func (g *tableGenerator) upTo(limits ...int) int { return limits[g.rnd.IntN(len(limits))] }

// index writes a number key, usually a small one, but up to 1,000.
func (g *tableGenerator) index() string {
	return fmt.Sprint(1 + g.rnd.IntN(g.upTo(4, 9, 20, 70, 1000)))
}

// key writes a key: numbers mostly, at the end of the list and where the parts of a table meet, and some of other
// types.
func (g *tableGenerator) key() string {
	switch g.rnd.IntN(10) {
	case 0:
		return g.choose("'a'", "'b'", "'key'", "'x1'", "'10'", "''", "'__index'", "'__x'")
	case 1:
		return g.choose("0", "-1", "1.5", "-0.5", "1e15", "2^31", "2^26", "2^26 + 1", "600000", "true", "false", "1/0")
	case 2:
		t := g.variable("t")
		return g.choose("#"+t+" + 1", "#"+t, "#"+t+" - 1")
	}
	return g.index()
}

// value writes a value, nil among them, which makes a hole or clears a field.
func (g *tableGenerator) value() string {
	return g.choose("1", "2.5", "'v'", "true", "nil", "false", fmt.Sprint(g.rnd.IntN(100)))
}

// statement writes a statement that changes a table or logs it.
func (g *tableGenerator) statement() {
	t := g.variable("t")
	switch g.rnd.IntN(14) {
	case 0, 1:
		g.write("%s[%s] = %s ", t, g.key(), g.value())
	case 2:
		g.write("%s[#%s + 1] = %s ", t, t, g.value())
	case 3:
		g.write("%s[#%s] = nil ", t, t)
	case 4:
		g.write("table.insert(%s, %s%s) ", t, g.choose("", "", "1, ", "2, ", g.index()+", "), g.value())
	case 5:
		g.write("L(table.remove(%s%s)) ", t, g.choose("", "", ", 1", ", 2", ", "+g.index()))
	case 6:
		g.write("for i = %s, %s do %s[i] = %s end ", g.index(), g.index(), t, g.choose("i", "nil", "i % 3 == 0 and i or nil"))
	case 7:
		g.write("for i = 1, %s do %s[i * %s] = %s end ", g.index(), t, g.choose("2", "3", "7", "1000", "-1", "0.5"),
			g.choose("i", "nil"))
	case 8:
		g.write("for i = 1, %s do %s['k' .. i] = %s end ", g.index(), t, g.choose("i", "nil"))
	case 9:
		g.write("%s = %s ", t, g.constructor())
	case 10:
		g.write("for k, v in pairs(%s) do L(k, v) if %s then %s[k] = nil end end ", t,
			g.choose("false", "type(v) == 'number' and v > 3", "true"), t)
	default:
		g.logContents(t)
	}
}

// logContents writes a statement that logs the contents of a table, or makes a new one of it: by a library, a command,
// or "arg".
func (g *tableGenerator) logContents(t string) {
	switch g.rnd.IntN(14) {
	case 0:
		g.write("L(unpack(%s)) ", t)
	case 1:
		g.write("for i, v in ipairs(%s) do L(i, v) end ", t)
	case 2:
		g.write("L(pcall(cjson.encode, %s)) ", t)
	case 3:
		g.write("L(pcall(table.concat, %s, ',')) ", t)
	case 4:
		g.write("L(table.getn(%s), table.maxn(%s)) ", t, t)
	case 5:
		g.write("L(pcall(table.sort, %s)) ", t)
	case 6:
		g.write("L(next(%s)) table.foreachi(%s, L) ", t, t)
	case 7:
		g.write("do local p = cmsgpack.pack(%s) L(#p, redis.sha1hex(p)) %s = cmsgpack.unpack(p) end ", t, t)
	case 8:
		g.write("do local ok, j = pcall(cjson.encode, %s) if ok then %s = cjson.decode(j) end end ", t, t)
	case 9:
		g.write("%s = redis.call('HMGET', 'h', 1, 2) L(#%s) %s[3] = 1 ", t, t, t)
	case 10:
		g.write("redis.call('RPUSH', 'l', 1, 2, 3, %s) %s = redis.call('LRANGE', 'l', 0, %s) redis.call('DEL', 'l') ",
			g.index(), t, g.choose("-1", "2", "0"))
	case 11:
		g.write("%s = {redis.pcall('NONE'), redis.call('SET', 'k', 1), (select(2, pcall(redis.call, 'NONE')))} "+
			"redis.call('DEL', 'k') L(#%s) %s[1] = 1 %s[2] = 2 ", t, t, t, t)
	case 12:
		g.write("%s = (function(...) local n = 0 if false then return arg end n = arg.n arg[n + 1] = 1 L(#arg) return arg "+
			"end)(%s) ", t, g.choose("", "1", "nil, 2", "1, nil, nil", "1, 2, 3, nil"))
	default:
		g.write("rawset(%s, %s, %s) L(rawget(%s, %s), #%s) ", t, g.key(), g.value(), t, g.key(), t)
	}
}
