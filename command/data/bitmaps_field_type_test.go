package data

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestBitField_Fit_AgreesWithBigInt(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	for range 20_000 {
		f := bitField{signed: rnd.IntN(2) == 0}
		if f.bits = 1 + rnd.IntN(63); f.signed {
			f.bits = 1 + rnd.IntN(64)
		}
		low, high := f.bounds()
		value, incr := f.wrap(int64(rnd.Uint64())), int64(rnd.Uint64())>>rnd.IntN(64)
		sum := new(big.Int).Add(big.NewInt(value), big.NewInt(incr))
		fits := sum.Cmp(big.NewInt(low)) >= 0 && sum.Cmp(big.NewInt(high)) <= 0

		got, ok := f.fit(value, incr, overflowFail)
		require.Equal(t, fits, ok)
		if fits {
			require.Equal(t, sum.Int64(), got)
			continue
		}
		got, _ = f.fit(value, incr, overflowSat)
		require.Equal(t, sum.Sign() > 0, got == high)
		got, _ = f.fit(value, incr, overflowWrap)
		width := new(big.Int).Lsh(big.NewInt(1), uint(f.bits))
		require.Zero(t, new(big.Int).Mod(new(big.Int).Sub(sum, big.NewInt(got)), width).Sign())
		require.True(t, low <= got && got <= high)
	}
}

func TestBitField_ReadAfterWrite(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	for range 5000 {
		f := bitField{signed: rnd.IntN(2) == 0, bits: 1 + rnd.IntN(63), offset: rnd.IntN(100)}
		b := randomBits(rnd)
		b = append(b, make([]byte, max(0, f.size()-len(b)))...)
		before := append([]byte(nil), b...)
		value := f.wrap(int64(rnd.Uint64()))
		f.write(b, value)
		require.Equal(t, value, f.read(b))
		for pos := range 8 * len(b) {
			if pos < f.offset || pos >= f.offset+f.bits {
				require.Equal(t, bitAt(before, pos), bitAt(b, pos))
			}
		}
	}
}
