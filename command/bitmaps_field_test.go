package command

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBitfield(t *testing.T) {
	inBubble(t, func(c *bubbleClient) {
		c.want(
			"BITFIELD b", "[]",
			"BITFIELD b GET u8 0", "[0]",
			"EXISTS b", "0",
			"BITFIELD b SET u8 0 255 SET i8 #1 -2 GET u4 4 INCRBY u2 100 1", "[0 0 15 1]",
			"STRLEN b", "13",
			"BITFIELD b GET i8 0 GET u8 8 GET i16 4 GET i64 90", "[-1 254 -32 4503599627370496]",
			"BITFIELD b SET i8 8 1", "[-2]",
			"BITFIELD b INCRBY i8 0 -127", "[-128]",
			"BITFIELD_RO b GET i8 0 GET u63 1000", "[-128 0]",
			"BITFIELD_RO b", "[]",
		)
	})
}

func TestBitfield_Overflow(t *testing.T) {
	inBubble(t, func(c *bubbleClient) {
		c.want(
			"BITFIELD b SET u8 0 250 INCRBY u8 0 10 OVERFLOW SAT INCRBY u8 0 -10 INCRBY u8 0 300", "[0 4 0 255]",
			"BITFIELD b OVERFLOW FAIL INCRBY u8 0 1 SET u8 0 256 GET u8 0 OVERFLOW WRAP SET u8 0 256", "[nil nil 255 255]",
			"BITFIELD b OVERFLOW sat SET u8 0 -1 SET i8 8 -1000 GET u8 0 GET i8 8", "[0 0 255 -128]",
			"BITFIELD b OVERFLOW SAT SET i8 8 -9223372036854775808 GET i8 8", "[-128 127]",
			"BITFIELD i SET i64 0 9223372036854775807 INCRBY i64 0 1 OVERFLOW SAT INCRBY i64 0 -1", "[0 -9223372036854775808 -9223372036854775808]",
			"BITFIELD u OVERFLOW SAT INCRBY u63 0 9223372036854775807 INCRBY u63 0 1 INCRBY u63 0 -9223372036854775808", "[9223372036854775807 9223372036854775807 0]",
		)
	})
}

func TestBitfield_Errors(t *testing.T) {
	const (
		badType   = "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is."
		badOffset = "ERR bit offset is not an integer or out of range"
		badInt    = "ERR value is not an integer or out of range"
		badMode   = "ERR Invalid OVERFLOW type specified"
		wrongType = "WRONGTYPE Operation against a key holding the wrong kind of value"
	)
	inBubble(t, func(c *bubbleClient) {
		c.want("RPUSH l a", "1")
		for _, encoding := range []string{"u64", "i65", "u0", "i0", "U8", "u08", "8", "x8", "''"} {
			c.want("BITFIELD l GET "+encoding+" 0", badType)
		}
		for _, offset := range []string{"-1", "#-1", "x", "#", "4294967296", "#536870912"} {
			c.want("BITFIELD l SET u8 "+offset+" x", badOffset)
		}
		c.want(
			"BITFIELD l GET u8 0", wrongType,
			"BITFIELD l", wrongType,
			"BITFIELD l SET u8 0 x", badInt,
			"BITFIELD l SET u8 0 1", wrongType,
			"BITFIELD_RO l SET u8 0 1", "ERR BITFIELD_RO only supports the GET subcommand",
			"BITFIELD_RO l SET u8 0 x", badInt,
			"BITFIELD_RO l OVERFLOW FAIL", wrongType,
			"BITFIELD l SET u8 0", "ERR syntax error",
			"BITFIELD l OVERFLOW", "ERR syntax error",
			"BITFIELD l OVERFLOW x GET", badMode,
		)
	})
}

func TestBitfield_EventsTellOfChangesOnly(t *testing.T) {
	inBubble(t, func(c *bubbleClient) {
		c.wantEvents("BITFIELD b GET u8 0")
		c.wantEvents("BITFIELD b SET u8 0 0", "setbit b")
		c.wantEvents("BITFIELD b SET u8 0 0 INCRBY u8 0 0 GET u8 0")
		c.wantEvents("BITFIELD b SET u8 0 1 SET u8 0 0", "setbit b")
		c.wantEvents("BITFIELD b SET u8 8 0", "setbit b")
		c.wantEvents("BITFIELD c OVERFLOW FAIL SET u8 0 256")
		c.want("STRLEN c", "1")
	})
}

func TestBitField_FitAgreesWithLargeIntegers(t *testing.T) {
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

func TestBitField_ReadsWhatWasWritten(t *testing.T) {
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
