package luaeval

import (
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
)

// oddCalls calls every function that a script can reach with unexpected arguments. ARGV: seed, number of calls.
const oddCalls = `
local function fill(list, t, seen)
	if seen[t] then return end
	seen[t] = true
	for _, v in pairs(t) do
		if type(v) == 'function' then list[#list + 1] = v elseif type(v) == 'table' then fill(list, v, seen) end
	end
end
local functions = {}
fill(functions, _G, {})

local itself = {1}
itself[2] = itself
local strange = setmetatable({}, {__index = function() error({}) end, __tostring = function() return nil end,
	__len = function() return -1 end,
	__call = function(...) return ... end, __lt = function() return nil end, __concat = function() return {} end,
	__metatable = 5})
local holes = {}
for i = 1, 40 do holes[i] = i end
for i = 10, 40 do holes[i] = nil end
local values = {0, 1, -1, 1.5, 3, 255, 2^31 - 1, 2^32, 2^53, -2^63, 2^64, 1/0, -1/0, 0/0, 1e300, 67108863, 1048577,
	'', 'abc', '%d%s%q', '10', '0x10', '1e400', '%b()', '[a', '[%a-]', '%f[%w]', '(()%1)', '(a*)*', ('x'):rep(1000),
	'\0\1\255', '>I4sc0', 'i32!16d',
	'{"a":[1,{}]}', '[1e999]', '"\\ud800"', '\221\255\255\255\255', '\129\192\1', '#', '*t', 'k', 'n', 'collect',
	'return ...', 'x =', '#!lua',
	{}, {1, 2, 3}, {1, nil, 3}, {3, 'b', {}, 1}, {a = 1, [2.5] = 2}, {[-1] = 1, [0] = 2, [1e15] = 3}, {err = 'E x'},
	{ok = 1}, {map = {}}, itself, strange, holes,
	true, false, cjson.null, KEYS, ARGV, _G, string, redis, function(...) return ... end, function() error('odd') end,
	function() error({err = 'E'}) end,
	function() return nil, {} end, function(a, b) return a ~= b end, coroutine.yield,
	coroutine.create(function(...) coroutine.yield(...) error('x') end),
	coroutine.wrap(function(...) while true do coroutine.yield(...) end end)}
for _, f in ipairs(functions) do values[#values + 1] = f end

local state = tonumber(ARGV[1])
local function random(n) -- not math.random, which is among the functions
	state = (state * 16807) % 2147483647
	return state % n + 1
end
local pcall, unpack = pcall, unpack
for i = 1, tonumber(ARGV[2]) do
	local n, args = random(5) - 1, {}
	for j = 1, n do args[j] = values[random(#values + 5)] end
	pcall(pcall, functions[random(#functions)], unpack(args, 1, n)) -- Redis' pcall itself may fail, of error(_G) say
end
return 'done'`

// For any arguments a library function must return or raise an error: Go code must not panic, hang or use up the
// memory.
func TestEngine_OddArguments(t *testing.T) {
	seeds, calls := []string{"1", "22", "333"}, "2000"
	if seed := os.Getenv("ODD_SEED"); seed != "" {
		seeds, calls = []string{seed}, "200000"
	}
	for _, seed := range seeds {
		var log strings.Builder
		e := New(emulate.Named("7.0"), slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError})))
		e.SetLimits(Limits{Memory: 8 << 20})
		s, err := e.Load([]byte(oddCalls))
		require.NoError(t, err)
		stop := watchFor(e, time.Minute)
		reply := e.Run(s, [][]byte{[]byte("key")}, [][]byte{[]byte(seed), []byte(calls)}, noopCaller{})
		stop()
		if !strings.Contains(reply.Text(), errMemory.Error()) { // the results of the calls may exceed the limit
			require.Equal(t, "done", reply.Text(), "seed %s: %s", seed, log.String())
		}
	}
}
