package data

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// randomBits returns a string of up to 40 bytes, mostly long runs of equal bits.
func randomBits(r *rand.Rand) []byte {
	var b []byte
	for len(b) < 32 && r.IntN(6) > 0 {
		unit := [][]byte{{0}, {0xff}, {byte(r.Uint32())}}[r.IntN(3)]
		b = append(b, bytes.Repeat(unit, 1+r.IntN(8))...)
	}
	return b
}

func TestBitRange_AgreesWithCheckingEachBit(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		b := randomBits(rnd)
		size := 8 * len(b)
		r := bitRange{rnd.IntN(size + 1), rnd.IntN(size + 1)}
		ones, first := 0, [2]int{-1, -1}
		for pos := r.from; pos < r.to; pos++ {
			bit := bitAt(b, pos)
			ones += int(bit)
			if first[bit] < 0 {
				first[bit] = pos
			}
		}
		require.Equal(t, ones, r.count(b))
		require.Equal(t, first[0], r.find(b, 0, false))
		require.Equal(t, first[1], r.find(b, 1, false))
		require.Equal(t, first[1], r.find(b, 1, true))
		if first[0] < 0 && r.from < r.to {
			require.Equal(t, r.to, r.find(b, 0, true))
		}
	}
}

func TestBitOperation_AgreesWithCombiningEachByte(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 2))
	ops := map[string]func(a, b, c byte) byte{
		"and":   func(a, b, c byte) byte { return a & b & c },
		"or":    func(a, b, c byte) byte { return a | b | c },
		"xor":   func(a, b, c byte) byte { return a ^ b ^ c },
		"not":   func(a, _, _ byte) byte { return ^a },
		"diff":  func(a, b, c byte) byte { return a &^ (b | c) },
		"diff1": func(a, b, c byte) byte { return (b | c) &^ a },
		"andor": func(a, b, c byte) byte { return a & (b | c) },
		"one":   func(a, b, c byte) byte { return a&^b&^c | b&^a&^c | c&^a&^b },
	}
	at := func(b []byte, i int) byte {
		if i < len(b) {
			return b[i]
		}
		return 0
	}
	for range 500 {
		sources := [][]byte{randomBits(rnd), randomBits(rnd), randomBits(rnd)}
		size := max(len(sources[0]), len(sources[1]), len(sources[2]))
		for i := range bitOperations {
			op := &bitOperations[i]
			got := op.apply(sources, size)
			require.Len(t, got, size)
			for i := range got {
				want := ops[op.name](at(sources[0], i), at(sources[1], i), at(sources[2], i))
				require.Equal(t, want, got[i], op.name)
			}
		}
	}
}
