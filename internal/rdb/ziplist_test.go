package rdb

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// ziplistOf makes a ziplist of entries, each its kind and its bytes.
func ziplistOf(entries ...string) []byte {
	var body []byte
	previous, tail := 0, ziplistHeader
	for _, e := range entries {
		tail = ziplistHeader + len(body)
		head := []byte{byte(previous)}
		if previous >= bigPrevious {
			head = binary.LittleEndian.AppendUint32([]byte{bigPrevious}, uint32(previous))
		}
		body = append(append(body, head...), e...)
		previous = len(head) + len(e)
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(ziplistHeader+len(body)+1))
	b = binary.LittleEndian.AppendUint32(b, uint32(tail))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(entries)))
	return append(append(b, body...), endMark)
}

func TestZiplist_EntriesOfEveryKind(t *testing.T) {
	long, longer := strings.Repeat("x", 300), strings.Repeat("y", 1<<14)
	b := ziplistOf("\x01a", "\x41\x2c"+long, "\x80\x00\x00\x40\x00"+longer, "\x00",
		"\xf1", "\xfd", "\xfe\x80", "\xc0\x00\x80", "\xf0\xff\xff\x7f", "\xd0\xff\xff\xff\xff",
		"\xe0\x00\x00\x00\x00\x01\x00\x00\x00")
	got, ok := all(ReadZiplist(b))
	require.True(t, ok)
	require.Equal(t, []string{"a", long, longer, "", "0", "12", "-128", "-32768", "8388607", "-1", "4294967296"}, got)
}

func TestZiplist_Damaged(t *testing.T) {
	b := ziplistOf("\x01a", "\xf1", "\x02bc")
	for n := range b {
		_, ok := all(ReadZiplist(b[:n]))
		require.False(t, ok, "cut at %d", n)
	}
	for i := range ziplistHeader + 1 {
		bad := append([]byte(nil), b...)
		bad[i]++
		_, ok := all(ReadZiplist(bad))
		require.False(t, ok, "byte %d", i)
	}
	_, ok := all(ReadZiplist(ziplistOf("\xff")))
	require.False(t, ok)
}

func TestZipmap(t *testing.T) {
	long := strings.Repeat("v", 300)
	got, ok := all(ReadZipmap([]byte("\x02\x01f\x01\x02v??\x01g\xfe\x2c\x01\x00\x00\x00" + long + "\xff")))
	require.True(t, ok)
	require.Equal(t, []string{"f", "v", "g", long}, got)
	for _, bad := range []string{"", "\x01", "\xff", "\x01\x01f\xff", "\x01\x01f\x01\x00v", "\x02\x01f\x01\x00v\xff",
		"\x01\xff\xff", "\x01\x01f\x01\x09v\xff"} {
		_, ok := all(ReadZipmap([]byte(bad)))
		require.False(t, ok, "%q", bad)
	}
	_, ok = all(ReadZipmap([]byte("\x00\xff")))
	require.True(t, ok)
}
