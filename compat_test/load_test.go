package compat

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// What redis-server saves, minilockd loads: as another
// redis-server loads it: all types in all encodings, expiries, all databases, and functions. The files differ in how
// they are written.
func TestLoad_FileOfRedis(t *testing.T) {
	requireReference(t)
	for name, args := range map[string][]string{
		"default": nil,
		"plain":   {"--rdbcompression", "no", "--rdbchecksum", "no"},
		"lru":     {"--maxmemory", "1gb", "--maxmemory-policy", "allkeys-lru"},
		"lfu":     {"--maxmemory", "1gb", "--maxmemory-policy", "allkeys-lfu"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			args = append(args, "--dir", dir)
			writer := dial(t, startRedis(t, args...))
			fillForSave(t, writer)
			require.Equal(t, "+OK", writer.do(t, "SAVE").String())
			file := filepath.Join(dir, "dump.rdb")
			ref := dial(t, startRedis(t, args...)) // which has other thresholds than the writer, as minilockd has
			target := dial(t, startTarget(t, append([]string{"--load", file}, args...)...))
			require.Equal(t, ref.do(t, "FUNCTION", "LIST", "WITHCODE").String(),
				target.do(t, "FUNCTION", "LIST", "WITHCODE").String())
			for _, db := range []string{"0", "5"} {
				requireSameKeys(t, ref, target, db)
			}
			require.Equal(t, ref.do(t, "DEBUG", "DIGEST").String(), target.do(t, "DEBUG", "DIGEST").String())
			requireDamagedFileFails(t, file)
		})
	}
}

// fillForSave stores random values of all types in two databases, with thresholds that make all encodings likely.
func fillForSave(t *testing.T, c *rawClient) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(*randomSeed, 1))
	var commands [][]string
	for i := range 400 {
		if i%100 == 0 {
			commands = append(commands, randomThresholds(rnd)...)
			commands = append(commands, []string{"SELECT", []string{"0", "5"}[i/100%2]})
		}
		key := "k" + strconv.Itoa(i)
		commands = append(commands, randomValue(rnd, key)...)
		if i%3 == 0 {
			commands = append(commands, []string{"PEXPIREAT", key, strconv.FormatInt(4_000_000_000_000+int64(i), 10)})
		}
	}
	commands = append(commands, []string{"FUNCTION", "LOAD",
		"#!lua name=lib\nredis.register_function('f', function() return 1 end)"})
	replies, err := c.pipeline(commands)
	require.NoError(t, err)
	require.Equal(t, "lib", replies[len(replies)-1].text)
}

// requireSameKeys compares the keys of a database with their values, encodings and expiries.
func requireSameKeys(t *testing.T, ref, target *rawClient, db string) {
	t.Helper()
	for _, c := range []*rawClient{ref, target} {
		require.Equal(t, "+OK", c.do(t, "SELECT", db).String())
	}
	want := keyspace(t, ref)
	require.Greater(t, len(want), 150)
	require.Empty(t, differentKeys(want, keyspace(t, target)))
	for key := range want {
		for _, command := range [][]string{{"OBJECT", "ENCODING", key}, {"PEXPIRETIME", key},
			{"DEBUG", "DIGEST-VALUE", key}} {
			require.Equal(t, ref.do(t, command...).String(), target.do(t, command...).String(), "%q", command)
		}
	}
}

// requireDamagedFileFails loads a file without its end, and one with a wrong byte if it has a checksum.
func requireDamagedFileFails(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	srv := server.StartT(t)
	require.ErrorContains(t, srv.Seed(bytes.NewReader(data[:len(data)/2])), "cut off or damaged")
	if string(data[len(data)-8:]) != "\x00\x00\x00\x00\x00\x00\x00\x00" {
		data[len(data)/2] ^= 1
		require.ErrorContains(t, srv.Seed(bytes.NewReader(data)), "checksum")
	}
	require.Empty(t, srv.Dump())
}
