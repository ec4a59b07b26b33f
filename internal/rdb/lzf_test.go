package rdb

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestLZF_RoundTrip(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		text := make([]byte, 21+rnd.IntN(1000))
		few := 1 + rnd.IntN(20)
		for i := range text {
			text[i] = byte(rnd.IntN(few))
		}
		packed := compressLZF(text)
		if packed == nil {
			continue
		}
		require.LessOrEqual(t, len(packed), len(text)-4)
		got, ok := decompressLZF(packed, len(text))
		require.True(t, ok)
		require.Equal(t, text, got)
	}
}

// What is compressed leaves nothing behind for what comes next, whatever its size.
func TestLZF_IsTheSameEveryTime(t *testing.T) {
	text := []byte(strings.Repeat("abcdefgh", 40))
	want := compressLZF(text)
	for _, size := range []int{100, 70_000, 1 << 20} {
		require.NotNil(t, compressLZF(bytes.Repeat([]byte("abcdefghi"), size/9)))
		require.Equal(t, want, compressLZF(text))
	}
}

// The payloads of redis-server 7.0.15.
func TestLZF_AsRedis(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("a", 21):              "\x01aa\xe0\x0a\x00",
		strings.Repeat("ab", 20):             "\x02aba\xe0\x1a\x01\x01ab",
		"abcdefghijklmnopqrstuvwxyz":         "",
		strings.Repeat("abcdefg", 3) + "abc": "\x07abcdefga\xe0\x05\x06\x01bc",
	} {
		require.Equal(t, want, string(compressLZF([]byte(text))), "%q", text)
	}
}

func TestUnpackLZF_NeverBeyondTheSize(t *testing.T) {
	for _, packed := range []string{"\x20\x00", "\xe0", "\xe0\xff", "\x1fabc", "\x00a\xe0\xff\x00", "\x00a\x3f\xff"} {
		_, ok := decompressLZF([]byte(packed), 100)
		require.False(t, ok, "%q", packed)
	}
}

func FuzzLZF(f *testing.F) {
	f.Add([]byte(strings.Repeat("abcabcd", 30)), 10)
	f.Fuzz(func(t *testing.T, b []byte, size int) {
		if out, ok := decompressLZF(b, size); ok {
			require.Len(t, out, size)
		}
		if len(b) <= minPacked {
			return
		}
		if packed := compressLZF(b); packed != nil {
			got, ok := decompressLZF(packed, len(b))
			require.True(t, ok)
			require.Equal(t, b, got)
		}
	})
}
