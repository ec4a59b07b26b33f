package rdb

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// all reads the elements of a packed form; ok tells that it was right to the end.
func all(e Elements) (texts []string, ok bool) {
	for e.More() {
		texts = append(texts, string(e.Next()))
	}
	return texts, e.Done()
}

func TestListpack_KeepsIntegersAndTextsOfEverySize(t *testing.T) {
	var want []string
	for shift := range 64 {
		for _, near := range []int64{-1, 0, 1} {
			n := int64(1)<<shift + near
			want = append(want, strconv.FormatInt(n, 10), strconv.FormatInt(-n, 10))
		}
	}
	want = append(want, "", "-", "-0", "01", "1.5", "9223372036854775808")
	for _, size := range []int{1, 63, 64, 125, 126, 4095, 4096, 16377, 16378, 1 << 16, 1 << 21} {
		want = append(want, strings.Repeat("x", size))
	}
	l := NewListpack()
	for _, text := range want {
		before := l.Size()
		l.Add([]byte(text))
		require.Equal(t, l.Size()-before, ListpackString([]byte(text)), "%.30q", text)
	}
	size := l.Size()
	b := l.Bytes()
	require.Len(t, b, size)
	got, ok := all(ReadListpack(b))
	require.True(t, ok)
	require.Equal(t, want, got)
}

// Beyond 65534 elements the header does not tell how many there are.
func TestListpack_ManyElements(t *testing.T) {
	for _, n := range []int{65534, 65535, 65536, 100_000} {
		l := NewListpack()
		for i := range n {
			l.AddInt(int64(i))
		}
		got, ok := all(ReadListpack(l.Bytes()))
		require.True(t, ok)
		require.Len(t, got, n)
	}
}

func TestListpackReader_NextInt(t *testing.T) {
	l := NewListpack()
	l.AddInt(math.MinInt64)
	l.Add([]byte("a"))
	r := ReadListpack(l.Bytes())
	require.Equal(t, int64(math.MinInt64), r.NextInt())
	require.Zero(t, r.NextInt())
	require.True(t, r.Failed())
	require.False(t, r.More())
	require.False(t, r.Done())
}

// Cutting a packed form anywhere, or changing any byte of what frames its elements, must not go unnoticed.
func TestListpack_Damaged(t *testing.T) {
	l := NewListpack()
	for _, text := range []string{"a", "100", "-3000", "70000", strings.Repeat("x", 200)} {
		l.Add([]byte(text))
	}
	b := l.Bytes()
	for n := range b {
		_, ok := all(ReadListpack(b[:n]))
		require.False(t, ok, "cut at %d", n)
	}
	for i := range listpackHeader {
		bad := append([]byte(nil), b...)
		bad[i]++
		_, ok := all(ReadListpack(bad))
		require.False(t, ok, "byte %d", i)
	}
}

// A listpack that is read to the end and written again is the same, unless it held numbers in larger forms than need
// be.
func FuzzListpack(f *testing.F) {
	l := NewListpack()
	for _, text := range []string{"a", "100", "-3000", "70000", "-2147483649", strings.Repeat("x", 200)} {
		l.Add([]byte(text))
	}
	f.Add(l.Bytes())
	f.Add([]byte("\x12\x12\x00\x00\x00\x0f\x00\x00\x00\x03\x00\x00\x01a\x03\xf1\x02\xf2\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, e := range []Elements{ReadListpack(b), ReadZiplist(b), ReadZipmap(b)} {
			texts, ok := all(e)
			if !ok {
				continue
			}
			again := NewListpack()
			for _, text := range texts {
				again.Add([]byte(text))
			}
			got, ok := all(ReadListpack(again.Bytes()))
			require.True(t, ok)
			require.Equal(t, texts, got)
		}
		EachInIntset(b, func(int64) {})
	})
}
