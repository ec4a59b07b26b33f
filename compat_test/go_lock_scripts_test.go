package compat

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// goScripts are the scripts of package lock, each of one or more files, by the script of Redisson that they correspond
// to.
var goScripts = map[string]string{
	"RedissonLock.tryLockInnerAsync":                         "mutex_acquire",
	"RedissonLock.unlockInnerAsync":                          "latch mutex_release",
	"RedissonLock.forceUnlockAsync":                          "mutex_force",
	"LockTask.buildChunk":                                    "mutex_renew",
	"RedissonFairLock.tryLockInnerAsync":                     "fair_queue fair_try",
	"RedissonFairLock.tryLockInnerAsync#1":                   "fair_queue fair_acquire",
	"RedissonFairLock.unlockInnerAsync":                      "latch fair_queue fair_release",
	"RedissonFairLock.forceUnlockAsync":                      "fair_queue fair_force",
	"RedissonFairLock.acquireFailedAsync":                    "fair_giveup",
	"RedissonReadLock.tryLockInnerAsync":                     "read_acquire",
	"RedissonReadLock.unlockInnerAsync":                      "latch read_release",
	"RedissonReadLock.forceUnlockAsync":                      "rw_force",
	"ReadLockTask.buildChunk":                                "read_renew",
	"RedissonWriteLock.tryLockInnerAsync":                    "write_acquire",
	"RedissonWriteLock.unlockInnerAsync":                     "latch write_release",
	"RedissonWriteLock.forceUnlockAsync":                     "rw_force",
	"RedissonSpinLock.tryLockInnerAsync":                     "mutex_acquire",
	"RedissonSpinLock.unlockInnerAsync":                      "latch spin_release",
	"RedissonSpinLock.forceUnlockAsync":                      "spin_force",
	"RedissonFencedLock.tryLockInnerAsync":                   "fenced_acquire",
	"RedissonSemaphore.trySetPermitsAsync":                   "semaphore_set",
	"RedissonSemaphore.tryAcquireAsync0":                     "semaphore_acquire",
	"RedissonSemaphore.releaseAsync":                         "semaphore_release",
	"RedissonSemaphore.addPermitsAsync":                      "semaphore_add",
	"RedissonSemaphore.drainPermitsAsync":                    "semaphore_drain",
	"RedissonCountDownLatch.trySetCountAsync":                "latch_set",
	"RedissonCountDownLatch.countDownAsync":                  "latch_down",
	"RedissonCountDownLatch.deleteAsync":                     "latch_delete",
	"RedissonPermitExpirableSemaphore.trySetPermitsAsync":    "semaphore_set",
	"RedissonPermitExpirableSemaphore.tryAcquireAsync":       "permit_lapse permit_acquire",
	"RedissonPermitExpirableSemaphore.tryReleaseAsync":       "permit_release",
	"RedissonPermitExpirableSemaphore.updateLeaseTimeAsync":  "permit_lapse permit_renew",
	"RedissonPermitExpirableSemaphore.availablePermitsAsync": "permit_lapse permit_available",
	"RedissonPermitExpirableSemaphore.addPermitsAsync":       "permit_add",
	"RedissonRateLimiter.trySetRateAsync":                    "rate_set",
	"RedissonRateLimiter.tryAcquireAsync":                    "rate_permits rate_acquire",
	"RedissonRateLimiter.availablePermitsAsync":              "rate_permits rate_available",
}

// The scripts of package lock have the same effects as Redisson's with the same keys and arguments: same replies,
// messages and keys after each call. Both servers are redis-server; calls that package lock does not make run
// Redisson's scripts.
func TestGoLockScripts_MatchRedisson(t *testing.T) {
	const version = "4.7.0"
	redissons := methodScripts(openJar(t, version))
	target, unused := goLockScripts(t, redissons)
	a, b := startReference(t), startReference(t)
	for _, scenario := range lockScenarios {
		t.Run(scenario.name, func(t *testing.T) {
			pair := newScriptServers(t, a, b)
			for i, call := range scenario.calls(redisson{version, time.Now().UnixMilli()}) {
				delete(unused, call.script)
				if pair.runAs(i, call, redissons, target); t.Failed() {
					return
				}
			}
		})
	}
	require.Empty(t, unused, "scripts that no scenario runs")
}

// goLockScripts returns Redisson's scripts with those of package lock in their place.
func goLockScripts(t *testing.T, redissons map[string]string) (scripts map[string]string, named map[string]bool) {
	t.Helper()
	const dir = "../lock/scripts"
	scripts, named = map[string]string{}, map[string]bool{}
	for name, text := range redissons {
		scripts[name] = text
	}
	var used []string
	for name, parts := range goScripts {
		var text strings.Builder
		for _, file := range strings.Fields(parts) {
			part, err := os.ReadFile(filepath.Join(dir, file+".lua"))
			require.NoError(t, err)
			text.Write(part)
			used = append(used, file)
		}
		require.Contains(t, redissons, name)
		scripts[name], named[name] = text.String(), true
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range files {
		file := strings.TrimSuffix(f.Name(), ".lua")
		require.True(t, slices.Contains(used, file), "%s corresponds to no script of Redisson", file)
	}
	return scripts, named
}
