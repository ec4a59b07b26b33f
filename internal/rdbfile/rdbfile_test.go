package rdbfile

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/minilockd/minilockd/internal/dump"
	"github.com/minilockd/minilockd/internal/rdb"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/store"
)

// The types of values that these files have.
const (
	typeString    = 0
	typeModule    = 7
	typeSetPacked = 20
	typeStream3   = 21
)

// writer writes a file as redis-server does.
type writer struct{ b []byte }

func newWriter(version int) *writer { return &writer{fmt.Appendf(nil, "REDIS%04d", version)} }

func (w *writer) op(op byte, lengths ...uint64) *writer {
	w.b = append(w.b, op)
	for _, n := range lengths {
		w.b = rdb.AppendLength(w.b, n)
	}
	return w
}

func (w *writer) raw(b ...byte) *writer {
	w.b = append(w.b, b...)
	return w
}

func (w *writer) text(s string) *writer {
	w.b = rdb.AppendString(w.b, []byte(s))
	return w
}

// done ends the file with its checksum.
func (w *writer) done() []byte {
	w.op(opEnd)
	return binary.LittleEndian.AppendUint64(w.b, rdb.Checksum(w.b))
}

func ms(when int64) []byte { return rdb.AppendMs(nil, when) }

func TestRead(t *testing.T) {
	w := newWriter(11).op(opAux).text("redis-ver").text("7.2.4").op(opFunction).text("#!lua name=lib\n")
	w.op(opDatabase, 0).op(opResize, 3, 1).op(opSlot, 16383, 3, 1)
	w.op(opExpireMs).raw(ms(1_800_000_000_123)...).op(opIdle, 70).op(typeString).text("ms").text("12")
	w.op(opExpire).raw(0, 0, 0, 1).op(opFreq).raw(9).op(typeString).text("s").text("v")
	w.op(typeString).text("plain").text("v")
	members := rdb.NewListpack()
	members.Add([]byte("a"))
	members.Add([]byte("7"))
	w.op(opDatabase, 3).op(typeSetPacked).text("set").text(string(members.Bytes()))
	file, err := Read(w.done(), store.NewThresholds())
	require.NoError(t, err)
	require.Equal(t, []string{"#!lua name=lib\n"}, file.Functions)
	var got []string
	for _, k := range file.Keys {
		got = append(got, fmt.Sprintf("%d %s %s expires %v %d idle %d freq %d", k.DB, k.Name, k.Value.Type(), k.Expires,
			k.When, k.Idle, k.Freq))
	}
	require.Equal(t, []string{
		"0 ms string expires true 1800000000123 idle 70 freq -1",
		"0 s string expires true 16777216000 idle -1 freq 9",
		"0 plain string expires false 0 idle -1 freq -1",
		"3 set set expires false 0 idle -1 freq -1",
	}, got)
	require.True(t, file.Keys[3].Value.(*store.Set).Has([]byte("7")))
}

// A stream of Redis 7.2 has one more time for each consumer.
func TestRead_Stream(t *testing.T) {
	limits := store.NewThresholds()
	s := store.NewStream()
	s.Append(limits, store.StreamID{Ms: 1, Seq: 1}, [][]byte{[]byte("f"), []byte("v")})
	s.AddGroup([]byte("g"), store.StreamID{Ms: 1, Seq: 1}, 1).AddConsumer([]byte("consumer"), 0x1122334455)
	piece, _, err := rdb.Open(dump.Encode(s, rdb.Redis70, limits), rdb.Redis70, 0)
	require.NoError(t, err)
	at := len(piece) - 1 // the number of the consumer's pending entries comes last
	w := newWriter(11).op(typeStream3).text("stream").raw(piece[1:at]...).raw(ms(99)...).raw(piece[at:]...)
	file, err := Read(w.done(), limits)
	require.NoError(t, err)
	got := file.Keys[0].Value.(*store.Stream)
	require.Equal(t, 1, got.Len())
	require.EqualValues(t, int64(0x1122334455), got.Group([]byte("g")).Consumer([]byte("consumer")).Seen())
}

func TestRead_WhatItDoesNotKnow(t *testing.T) {
	wrongSum := newWriter(10).done()
	wrongSum[len(wrongSum)-1]++
	for want, data := range map[string][]byte{
		`version "0013" is not supported, only 1 to 12`:             newWriter(13).done(),
		`version "000x" is not supported, only 1 to 12`:             []byte("REDIS000x"),
		"the file is cut off or damaged":                            []byte("REDIS0010\xff"),
		"the checksum is wrong":                                     wrongSum,
		"at byte 9: it has data of a module":                        newWriter(10).op(opModule).done(),
		`at byte 9: key "k" has the type 7, which is not supported`: newWriter(10).op(typeModule).text("k").done(),
		"release candidate":                                         newWriter(10).op(opFunctionBeta).done(),
		`the value of key "k" is invalid`: newWriter(11).op(typeSetPacked).
			text("k").text("x").done(),
	} {
		_, err := Read(data, store.NewThresholds())
		require.ErrorContains(t, err, want)
	}
}

// Old files have no checksum, and newer ones 0 if their server was told not to compute it.
func TestRead_WithoutChecksum(t *testing.T) {
	for version, end := range map[int][]byte{4: nil, 9: make([]byte, checksumSize)} {
		data := append(newWriter(version).op(typeString).text("k").text("v").op(opEnd).b, end...)
		file, err := Read(data, store.NewThresholds())
		require.NoError(t, err)
		require.Len(t, file.Keys, 1)
	}
}

// No damage makes Read panic, or find what is not there.
func TestRead_Damaged(t *testing.T) {
	w := newWriter(10).op(opDatabase, 1).op(opExpireMs).raw(ms(5)...).op(typeString).text("key").text("value")
	whole := append(w.op(opEnd).b, make([]byte, checksumSize)...)
	for end := range len(whole) - 1 {
		_, err := Read(whole[:end], store.NewThresholds())
		require.Error(t, err)
	}
	for i := range whole {
		for bit := range 8 {
			damaged := append([]byte(nil), whole...)
			damaged[i] ^= 1 << bit
			file, err := Read(damaged, store.NewThresholds())
			require.True(t, err != nil || len(file.Keys) <= 1)
		}
	}
}
