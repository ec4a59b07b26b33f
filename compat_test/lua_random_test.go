package compat

import (
	"flag"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/luagen"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

var randomPrograms = flag.Int("programs", 50_000, "random Lua programs to run on both servers")

// programBatch is the number of programs in a pipeline, after which SCRIPT FLUSH is sent.
const programBatch = 250

// Both servers must reply the same to random Lua programs. A difference is reduced to the statements that show it;
// -seed repeats a run.
func TestLuaRandom_Programs(t *testing.T) {
	total, seed := *randomPrograms, *randomSeed
	if !testenv.Long() {
		total = 2000
	}
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	d := luaComparison{t, dial(t, startReference(t)), dial(t, startTarget(t))}
	errors := d.compare(seed, total, func(seed uint64) *luagen.Program {
		return luagen.Generate(seed, luagen.Options{Libraries: true})
	})
	t.Logf("seed %d: %d programs, %d of them ended with an error", seed, total, errors)
	require.Less(t, errors, total/10, "too many programs that end early")
}

// luaComparison runs the same programs on two servers.
type luaComparison struct {
	t             *testing.T
	redis, target *rawClient
}

// compare runs random programs until enough are with different replies, and returns how many end with an error.
func (d luaComparison) compare(seed uint64, total int, generate func(seed uint64) *luagen.Program) (errors int) {
	d.t.Helper()
	different := 0
	for n := 0; n < total && different < enoughDifferences; n += programBatch {
		programs := make([]*luagen.Program, min(programBatch, total-n))
		for i := range programs {
			programs[i] = generate(seed<<32 + uint64(n+i))
		}
		redis, target := d.run(programs)
		for i, want := range redis {
			if want.kind == '-' {
				errors++
			}
			if want.String() != target[i].String() {
				different++
				d.report(seed, n+i, programs[i])
			}
		}
	}
	return errors
}

// run runs programs on both servers at the same time.
func (d luaComparison) run(programs []*luagen.Program) (redis, target []reply) {
	d.t.Helper()
	commands := make([][]string, 0, len(programs)+1)
	for _, p := range programs {
		commands = append(commands, []string{"EVAL", p.Source(), "0"})
	}
	commands = append(commands, []string{"SCRIPT", "FLUSH"})
	failed := make(chan error, 1)
	go func() {
		var err error
		redis, err = d.redis.pipeline(commands)
		failed <- err
	}()
	target, err := d.target.pipeline(commands)
	require.NoError(d.t, <-failed, "redis")
	require.NoError(d.t, err, "target, after %d replies", len(target))
	return redis[:len(programs)], target[:len(programs)]
}

func (d luaComparison) report(seed uint64, number int, p *luagen.Program) {
	d.t.Helper()
	var want, got reply
	short := p.Shrink(func(source string) bool {
		want, got = d.redis.do(d.t, "EVAL", source, "0"), d.target.do(d.t, "EVAL", source, "0")
		return want.String() != got.String()
	}).Source()
	want, got = d.redis.do(d.t, "EVAL", short, "0"), d.target.do(d.t, "EVAL", short, "0")
	d.t.Errorf("seed %d, program %d:\n%s\n   redis: %s\n  target: %s", seed, number, short, want, got)
}
