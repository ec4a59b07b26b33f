package lualib

import (
	"math"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"
)

// Redis replaces the generator of Lua by one that gives the same numbers on every machine, so that a script had the
// same effect on replicas. Scripts may rely on the sequence: after a start the first number is always the same.

// The constants of Redis' math.random (rand.c), which are those of drand48: a linear congruential generator of 48 bits.
const (
	randomMultiplier = 0x5deece66d
	randomIncrement  = 0xb
	randomMask       = 1<<48 - 1
	randomLow        = 0x330e // of the state after seeding
	randomStart      = 0x1234abcd<<16 | randomLow
)

// Random is the generator behind math.random. It continues from script to script, as that of Redis does, and gives the
// same numbers from the same start. It may be used by many states at once: each number is given to one of them.
type Random struct {
	state atomic.Uint64 // 48 bits
}

// NewRandom returns a generator in the state in which a Redis server starts.
func NewRandom() *Random {
	r := &Random{}
	r.state.Store(randomStart)
	return r
}

// Seed starts the sequence that belongs to seed, as math.randomseed does.
func (r *Random) Seed(seed int32) { r.state.Store(uint64(uint32(seed))<<16 | randomLow) }

// Next returns the next number of 31 bits (redisLrand48).
func (r *Random) Next() int32 {
	for {
		old := r.state.Load()
		next := (old*randomMultiplier + randomIncrement) & randomMask
		if r.state.CompareAndSwap(old, next) {
			return int32(next >> 17)
		}
	}
}

// float returns a number from 0 up to but not including 1.
func (r *Random) float() float64 { return float64(r.Next()%math.MaxInt32) / math.MaxInt32 }

// random is math.random: in [0,1), or an integer from 1 or from low to high. It advances the generator even if the
// arguments are wrong.
func (l *library) random(L *lua.LState) int {
	r := l.Random.float()
	low, high := 1, 0
	switch L.GetTop() {
	case 0:
		pushNumber(L, r)
		return 1
	case 1:
		high = checkInt(L, 1)
	case 2:
		low, high = checkInt(L, 1), checkInt(L, 2)
	default:
		raise(L, "wrong number of arguments")
	}
	if low > high {
		argError(L, L.GetTop(), "interval is empty")
	}
	span := int32(high) - int32(low) + 1 // wraps as int does in C
	pushNumber(L, math.Floor(r*float64(span))+float64(low))
	return 1
}

// randomSeed is math.randomseed(seed), of which 32 bits count.
func (l *library) randomSeed(L *lua.LState) int {
	l.Random.Seed(int32(checkInt(L, 1)))
	return 0
}
