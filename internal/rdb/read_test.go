package rdb

import (
	"math"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestReader_ReadsWhatWasWritten(t *testing.T) {
	lengths := []uint64{0, 63, 64, 1<<14 - 1, 1 << 14, math.MaxUint32, math.MaxUint32 + 1, math.MaxUint64}
	texts := []string{"", "0", "-1", "127", "128", "-128", "-129", "32767", "32768", "-32769", "2147483647", "-2147483648",
		"2147483648", "01", "-0", "+1", "12345678901", "abc", strings.Repeat("ab", 100), strings.Repeat("x", 1<<15)}
	var b []byte
	for _, n := range lengths {
		b = AppendLength(b, n)
	}
	for _, text := range texts {
		b = AppendPlain(AppendString(b, []byte(text)), []byte(text))
	}
	b = AppendMs(AppendDouble(b, -1.5), 1<<40)
	r := NewReader(b)
	for _, n := range lengths {
		require.Equal(t, n, r.Length())
	}
	for _, text := range texts {
		require.Equal(t, text, string(r.String()))
		require.Equal(t, text, string(r.String()))
	}
	require.Equal(t, -1.5, r.Double())
	require.Equal(t, int64(1<<40), r.Int(8))
	require.False(t, r.More())
	require.False(t, r.Failed())
}

// A reader that was cut short fails and stays so.
func TestReader_CutShort(t *testing.T) {
	b := AppendString(AppendLength(nil, 1<<20), []byte(strings.Repeat("ab", 100)))
	for n := range b {
		r := NewReader(b[:n])
		r.Length()
		r.String()
		require.True(t, r.Failed(), "cut at %d", n)
		require.Zero(t, r.Length())
		require.Nil(t, r.Take(1))
		require.True(t, r.Failed())
	}
}

func TestReader_Count_NeverBelievesMoreThanThereIs(t *testing.T) {
	r := NewReader(append(AppendLength(nil, 4), "abc"...))
	require.Zero(t, r.Count())
	require.True(t, r.Failed())
}

func TestReader_TextDouble(t *testing.T) {
	r := NewReader([]byte("\x031.5\xfe\xff\xfd\x01x"))
	require.Equal(t, 1.5, r.TextDouble())
	require.Equal(t, math.Inf(1), r.TextDouble())
	require.Equal(t, math.Inf(-1), r.TextDouble())
	require.True(t, math.IsNaN(r.TextDouble()))
	require.False(t, r.Failed())
	r.TextDouble()
	require.True(t, r.Failed())
}

func TestOpen(t *testing.T) {
	payload := Seal([]byte("abc"), Redis70)
	piece, _, err := Open(payload, Redis70, 0)
	require.NoError(t, err)
	require.Equal(t, "abc", string(piece))
	for i := range payload {
		bad := append([]byte(nil), payload...)
		bad[i] ^= 0x80
		_, _, err := Open(bad, Redis70, 0)
		require.Equal(t, ErrFooter, err, "byte %d", i)
	}
	payload[0] = 'b'
	_, _, err = Open(payload, Redis70, UncheckedSum)
	require.NoError(t, err)
	_, _, err = Open([]byte("short"), Redis70, UncheckedSum)
	require.Equal(t, ErrFooter, err)
}

// As redis-server 7.0, 7.2 and 8.2 and Valkey 9.1 answer RESTORE.
func TestVersion_Reads(t *testing.T) {
	for v, want := range map[Version][]Version{
		Redis70: {9, 10}, Redis72: {9, 10, 11}, Redis74: {9, 10, 11, 12}, Valkey9: {9, 10, 11, 80},
	} {
		var reads []Version
		for other := Version(9); other <= 81; other++ {
			if v.Reads(other) {
				reads = append(reads, other)
			}
		}
		require.Equal(t, want, reads)
	}
}

func TestIntset(t *testing.T) {
	for _, numbers := range [][]int64{{1}, {-32768, 32767}, {-32769, 0}, {0, 32768}, {-1 << 31, 1<<31 - 1}, {0, 1 << 31},
		{math.MinInt64, math.MaxInt64}} {
		b := AppendIntset(nil, numbers)
		var got []int64
		require.True(t, EachInIntset(b, func(n int64) { got = append(got, n) }))
		require.Equal(t, numbers, got)
		require.False(t, EachInIntset(b[:len(b)-1], func(int64) {}))
		require.False(t, EachInIntset(append(b, 0), func(int64) {}))
	}
	require.False(t, EachInIntset(AppendIntset(nil, []int64{2, 1}), func(int64) {}))
	require.False(t, EachInIntset([]byte("\x03\x00\x00\x00\x00\x00\x00\x00"), func(int64) {}))
}
