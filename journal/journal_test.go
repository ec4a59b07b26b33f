package journal

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

func entry(client int64, args ...string) Entry {
	return Entry{Client: client, Addr: fmt.Sprintf("127.0.0.1:%d", client), Command: args[0], Args: args}
}

func lines(entries []Entry) (all []string) {
	for _, e := range entries {
		all = append(all, e.Line())
	}
	return all
}

// The last entries are kept, in their order, however often the journal is turned on.
func TestJournal_KeepsTheLast(t *testing.T) {
	var changes []bool
	j := New(func(on bool) { changes = append(changes, on) })
	j.Add(entry(1, "lost"))
	j.Start(3)
	for i := range 5 {
		j.Add(entry(1, "set", fmt.Sprint(i)))
	}
	require.Equal(t, []string{"set 2", "set 3", "set 4"}, lines(j.Entries()))
	j.Start(2)
	require.Equal(t, []string{"set 3", "set 4"}, lines(j.Entries()))
	j.Start(0)
	for i := range Default {
		j.Add(entry(1, "set", fmt.Sprint(i)))
	}
	require.Len(t, j.Entries(), Default)
	j.Stop()
	j.Add(entry(1, "lost"))
	require.Equal(t, int64(5+Default), j.Entries()[Default-1].ID)
	j.Clear()
	require.Empty(t, j.Entries())
	require.Equal(t, []bool{true, true, true, false}, changes)
}

func TestJournal_Questions(t *testing.T) {
	j := New(func(bool) {})
	j.Start(4)
	for _, e := range []Entry{entry(1, "old"), entry(1, "get", "a"), entry(2, "get", "b"), entry(1, "config|get", "x"),
		entry(2, "set", "a", "")} {
		j.Add(e)
	}
	require.Equal(t, 2, j.Count("GET"))
	require.Equal(t, 1, j.Count("config"))
	require.Equal(t, 4, j.Count(""))
	require.Equal(t, 0, j.Count("old"))
	last, ok := j.Last("get")
	require.True(t, ok)
	require.Equal(t, "get b", last.Line())
	_, ok = j.Last("del")
	require.False(t, ok)
	require.Equal(t, []string{"get a", `set a ""`}, lines(j.Find(Match("?et a*"))))
	require.Equal(t, []string{"get a", `set a ""`}, lines(j.Find(Match("?Et a*"))))
	require.Empty(t, j.Find(Match("?et A*")))

	j.SetError(1, false, "ERR no")
	j.SetError(2, true, "ERR no script of 2 has called anything")
	j.SetError(2, false, "ERR x")
	require.Equal(t, "00:00:00.000 [client 1 127.0.0.1:1] get a\n"+
		"00:00:00.000 [client 2 127.0.0.1:2] get b\n"+
		"00:00:00.000 [client 1 127.0.0.1:1] config|get x -> ERR no\n"+
		"00:00:00.000 [client 2 127.0.0.1:2] set a \"\" -> ERR x\n", j.String())
}

func TestEntry_String(t *testing.T) {
	e := Entry{Time: time.UnixMilli(1500), Client: 7, Name: "worker", Addr: "memory:3", DB: 2,
		Args: []string{"GET", "a b"}, Script: true}
	require.Equal(t, `00:00:01.500 [client 7 memory:3 worker db 2]   GET "a b"`, e.String())
}

func TestJournal_WaitFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := New(func(bool) {})
		j.Start(2)
		j.Add(entry(1, "get", "a"))
		e, err := j.WaitFor(t.Context(), Match("get *"))
		require.NoError(t, err)
		require.Equal(t, "get a", e.Line())
		go func() {
			for _, name := range []string{"x", "y", "z", "b"} {
				time.Sleep(time.Second)
				j.Add(entry(1, "set", name))
			}
		}()
		e, err = j.WaitFor(t.Context(), Match("set b"))
		require.NoError(t, err)
		require.Equal(t, int64(5), e.ID)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = j.WaitFor(ctx, Match("set c"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}
