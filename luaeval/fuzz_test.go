package luaeval

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/resp"
)

// FuzzEval runs any source with low limits: it must end with a reply and without an internal error. Run it with a
// GOMEMLIMIT to find scripts that evade the limit.
func FuzzEval(f *testing.F) {
	for _, source := range []string{
		`if redis.call('exists', KEYS[1]) == 0 then return {1, 'two', {3.5}, false, ok = 1} end`,
		`local t = {} for i = 1, 10 do t[#t + 1] = i .. 'x' end table.sort(t, function(a, b) return a > b end) return ` +
			`table.concat(t, ',')`,
		`local co = coroutine.wrap(function(...) for i, v in ipairs({...}) do coroutine.yield(v) end end) return {co(1, ` +
			`2), co(), co()}`,
		`return {pcall(function() error({err = 'E x'}) end), select('#', xpcall(error, function(e) return e end))}`,
		`return cjson.encode(cjson.decode('{"a":[1,2,{"b":null}]}')) .. cmsgpack.pack({1, {x = 1}}) .. ` +
			`struct.pack('>I4s', 7, 'z')`,
		`return (('key=12'):gsub('(%a+)=(%d*)', '%2%1')) .. ('%5.2f|%q|%-5s'):format(1.5, 'a\n', 'b') .. ('x'):rep(3, ',')`,
		`local t = setmetatable({}, {__index = function(t, k) return k end, __call = function(...) return select('#', ` +
			`...) end}) return t(t.a, #t)`,
		`local function f(n, ...) if n == 0 then return ... end return f(n - 1, n, ...) end return {f(10)}`,
		`for k, v in pairs({1, 2, a = 3, [2.5] = 4}) do if k == 'a' then break end end repeat local x = 1 until x == 1 ` +
			`return unpack({1, 2, 3})`,
		`local s = '' while #s < 1e5 do s = s .. s .. 'x' end return loadstring('return ' .. #s)()`,
		`#!lua flags=no-writes` + "\n" + `return bit.bxor(0xff, 1) % -3 ^ 2`,
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		var log strings.Builder
		e := New(emulate.Named("7.0"), slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError})))
		e.SetLimits(Limits{Memory: 64 << 20})
		s, err := e.Load([]byte(source))
		if err != nil {
			require.NotContains(t, err.Error(), "internal error")
			return
		}
		stop := watchFor(e, 2*time.Second)
		defer stop()
		reply := e.Run(s, [][]byte{[]byte("key")}, [][]byte{[]byte("1"), []byte("two")}, noopCaller{})
		require.NotEqual(t, resp.Error("ERR internal error").Text(), reply.Text(), log.String())
	})
}

// watchFor calls Watch until stop is called, and ends the scripts of the engine after limit.
func watchFor(e *Engine, limit time.Duration) (stop func()) {
	over, done := make(chan struct{}), make(chan struct{})
	deadline := time.Now().Add(limit)
	go func() {
		defer close(done)
		for tick := time.NewTicker(2 * time.Millisecond); ; {
			select {
			case <-over:
				return
			case now := <-tick.C:
				if e.Watch(now, time.Hour); now.After(deadline) {
					e.Stop()
				}
			}
		}
	}()
	return func() {
		close(over)
		<-done
	}
}
