package luaeval

import (
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// maxCompiled is the number of scripts that are kept compiled, which takes about 20 times the memory of a short source.
// Redisson has 450 scripts.
const maxCompiled = 2048

// compiled is the source of a script and, while it is in the compiledSet, its compiled form. It is safe for concurrent
// use.
type compiled struct {
	source string
	proto  atomic.Pointer[lua.FunctionProto] // nil if evicted
	used   atomic.Bool                       // since the clock hand has passed
}

// compiledSet is the scripts that are kept compiled. It evicts by the clock algorithm, which approximates LRU with one
// atomic flag for each use: a script that runs takes no lock. A script that was evicted is compiled again when it runs;
// its source and SHA1 stay. The zero value is empty; it is safe for concurrent use.
type compiledSet struct {
	mu   lockrank.Mutex[lockrank.CompiledScripts] // guards the rest
	ring []*compiled
	hand int
}

// keep adds a script that has been compiled, and evicts another one if there are too many: the first one in the ring,
// from the clock hand on, that was not used since the hand passed it.
func (k *compiledSet) keep(c *compiled) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.ring) < maxCompiled {
		k.ring = append(k.ring, c)
		return
	}
	for k.ring[k.hand].used.Swap(false) {
		k.hand = (k.hand + 1) % len(k.ring)
	}
	k.ring[k.hand].proto.Store(nil)
	k.ring[k.hand] = c
	k.hand = (k.hand + 1) % len(k.ring)
}

// clear removes all scripts. They can still be run: each keeps its compiled form.
func (k *compiledSet) clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ring, k.hand = nil, 0
}

// compile sets the compiled form. If several goroutines compile the same script at once, only one of them adds it to
// the set. The error is that of EVAL.
func (k *compiledSet) compile(c *compiled) (*lua.FunctionProto, error) {
	proto, err := luafront.Compile(c.source, chunkName)
	if err != nil {
		return nil, compileError(err)
	}
	if c.proto.CompareAndSwap(nil, proto) {
		k.keep(c)
	}
	return proto, nil
}

// protoOf returns the compiled form of a script, which it compiles again if it was evicted. It writes the flag only if
// it is not set, so that cores which run the same script share its cache line.
func (k *compiledSet) protoOf(c *compiled) *lua.FunctionProto {
	if proto := c.proto.Load(); proto != nil {
		if !c.used.Load() {
			c.used.Store(true)
		}
		return proto
	}
	proto, err := k.compile(c)
	if err != nil {
		panic(err) // it has been compiled before
	}
	return proto
}
