package admin

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/luaeval"
)

// payloadOf returns an RDB piece with the version and the checksum of a payload.
func payloadOf(version uint16, piece string) []byte {
	b := binary.LittleEndian.AppendUint16([]byte(piece), version)
	return binary.LittleEndian.AppendUint64(b, rdb.Checksum(b))
}

func TestLibraries_RoundTrip(t *testing.T) {
	var libraries []*luaeval.Library
	var sources []string
	for _, size := range []int{0, 1, 63, 64, 1<<14 - 1, 1 << 14, 1 << 20} {
		source := strings.Repeat("x", size)
		sources = append(sources, source)
		libraries = append(libraries, &luaeval.Library{Source: source})
	}
	got, err := decodeLibraries(encodeLibraries(libraries, rdb.Redis70), rdb.Redis70, 0)
	require.NoError(t, err)
	require.Equal(t, sources, got)
	require.Equal(t, "\n\x00]\x9b\\@\x0f\x7f\xa2\xda", string(encodeLibraries(nil, rdb.Redis70))) // as Redis 7.0.15
}

// Strings as RDB files have them: with lengths of four sizes, as integers, compressed.
func TestDecodeLibraries_Strings(t *testing.T) {
	for piece, want := range map[string]string{
		"\x03abc":                 "abc",
		"\x40\x03abc":             "abc",
		"\x80\x00\x00\x00\x03abc": "abc",
		"\x81\x00\x00\x00\x00\x00\x00\x00\x03abc": "abc",
		"\xc0\xff":                      "-1",
		"\xc1\x00\x80":                  "-32768",
		"\xc2\xff\xff\xff\x7f":          "2147483647",
		"\xc3\x05\x03\x02abc":           "",
		"\xc3\x04\x03\x02abc":           "abc",
		"\xc3\x05\x0a\x00a\xe0\x00\x00": "aaaaaaaaaa",
		"\xc3\x06\x08\x01ab\x80\x01":    "",
		"\xc3\x05\x08\x01ab\x80\x01":    "abababab",
	} {
		sources, err := decodeLibraries(payloadOf(10, "\xf5"+piece), rdb.Redis70, 0)
		if want == "" {
			require.Equal(t, errLibraryPayload, err, "%q", piece)
			continue
		}
		require.NoError(t, err, "%q", piece)
		require.Equal(t, []string{want}, sources, "%q", piece)
	}
}

func TestDecodeLibraries_Errors(t *testing.T) {
	for _, piece := range []string{"\xf5", "\xf5\x03ab", "\xf5\x40", "\xf5\xc0", "\xf5\xc4", "\xf5\x82",
		"\xf5\xc3\x02\x05a", "\xf5\xc3\x02\x05\x20\x00",
		"\xf5\xc3\x01\x05\xe0", "\xf5\xc3\x01\xc0"} {
		_, err := decodeLibraries(payloadOf(10, piece), rdb.Redis70, 0)
		require.Equal(t, errLibraryPayload, err, "%q", piece)
	}
	_, err := decodeLibraries(payloadOf(10, "\xf4\x01a"), rdb.Redis70, 0)
	require.Equal(t, errNotFunction, err)
	good := payloadOf(10, "\xf5\x01a")
	for i := range good {
		bad := append([]byte(nil), good...)
		bad[i] ^= 1
		_, err := decodeLibraries(bad, rdb.Redis70, 0)
		require.Equal(t, rdb.ErrFooter, err, "byte %d", i)
	}
	for _, b := range [][]byte{nil, good[:9], payloadOf(11, "\xf5\x01a")} {
		_, err := decodeLibraries(b, rdb.Redis70, 0)
		require.Equal(t, rdb.ErrFooter, err)
	}
}

func FuzzDecodeLibraries(f *testing.F) {
	f.Add([]byte("\xf5\xc3\x05\x0a\x00a\xe0\x00\x00"))
	f.Fuzz(func(t *testing.T, piece []byte) {
		sources, err := decodeLibraries(payloadOf(10, string(piece)), rdb.Redis70, 0)
		if err == nil {
			for _, s := range sources {
				require.LessOrEqual(t, len(s), 512<<20)
			}
		}
	})
}
