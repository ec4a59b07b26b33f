package compat

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// goScripts are the scripts of package lock, and whose place each of them takes.
var goScripts = map[string]string{
	"RedissonLock.tryLockInnerAsync": "mutex_acquire",
	"RedissonLock.unlockInnerAsync":  "mutex_release",
	"RedissonLock.forceUnlockAsync":  "mutex_force",
	"LockTask.buildChunk":            "mutex_renew",
}

// The Go client's scripts get the keys and arguments of Redisson's and must do the same: same replies, messages and keys
// after every call. Both sides are redis-server; the calls that the Go client does not make run Redisson's scripts on both.
func TestGoLockScripts_DoWhatRedissonsDo(t *testing.T) {
	const version = "4.7.0"
	redissons := methodScripts(openJar(t, version))
	ours, unused := goLockScripts(t, redissons)
	a, b := startReference(t), startReference(t)
	for _, story := range lockStories {
		t.Run(story.name, func(t *testing.T) {
			pair := newLockPair(t, a, b)
			for i, call := range story.calls(redisson{version, time.Now().UnixMilli()}) {
				delete(unused, call.script)
				if pair.runAs(i, call, redissons, ours); t.Failed() {
					return
				}
			}
		})
	}
	require.Empty(t, unused, "no story runs these")
}

// goLockScripts are Redisson's scripts with those of package lock in their places.
func goLockScripts(t *testing.T, redissons map[string]string) (scripts map[string]string, named map[string]bool) {
	t.Helper()
	const dir = "../lock/scripts"
	scripts, named = map[string]string{}, map[string]bool{}
	for name, text := range redissons {
		scripts[name] = text
	}
	var used []string
	for name, file := range goScripts {
		text, err := os.ReadFile(filepath.Join(dir, file+".lua"))
		require.NoError(t, err)
		require.Contains(t, redissons, name)
		scripts[name], named[name] = string(text), true
		used = append(used, file)
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range files {
		file := strings.TrimSuffix(f.Name(), ".lua")
		require.True(t, slices.Contains(used, file), "%s stands for none of Redisson's", file)
	}
	return scripts, named
}
