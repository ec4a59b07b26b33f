package luaeval

import (
	"sync"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// maxCompiled is how many scripts are kept compiled, which takes some twenty times the memory of a short source.
// Redisson has 450.
const maxCompiled = 2048

// compiled is a script's source and, while it is among those used last, its compiled form. It is safe for concurrent
// use.
type compiled struct {
	source string
	proto  atomic.Pointer[lua.FunctionProto] // nil: to be compiled again
	used   atomic.Bool                       // since the hand has passed it
}

// compiledSet is which scripts are kept compiled. The one to go is found by the clock algorithm. The zero value is
// empty; it is safe for concurrent use.
type compiledSet struct {
	mu   sync.Mutex // guards the rest
	ring []*compiled
	hand int
}

// keep adds a script that has been compiled, and gives up another one if there are too many.
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

// forget empties the set.
func (k *compiledSet) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ring, k.hand = nil, 0
}

// compile sets the compiled form.
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

// protoOf is the compiled form of a script that has been compiled before.
func (k *compiledSet) protoOf(c *compiled) *lua.FunctionProto {
	if proto := c.proto.Load(); proto != nil {
		if !c.used.Load() {
			c.used.Store(true)
		}
		return proto
	}
	proto, err := k.compile(c)
	if err != nil {
		panic(err) // what has been compiled once can be compiled again
	}
	return proto
}
