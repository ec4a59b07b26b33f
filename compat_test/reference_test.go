package compat

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// referenceVersion is the Redis that judges: the replies in testdata are its own.
const referenceVersion = "7.0."

// comparesRedisWithItself tells that a second redis-server stands in our lockRef (COMPAT_TARGET=redis).
func comparesRedisWithItself() bool { return os.Getenv("COMPAT_TARGET") == "redis" }

// startTarget starts the server under test, with further arguments, and gives its address.
func startTarget(t testing.TB, args ...string) string {
	t.Helper()
	if comparesRedisWithItself() {
		return startRedis(t, args...)
	}
	return startServer(t, args...)
}

// haveReference tells whether the redis-server of this machine is the judging version.
func haveReference() bool {
	out, err := exec.Command("redis-server", "--version").Output()
	return err == nil && strings.Contains(string(out), " v="+referenceVersion)
}

// startReference starts redis-server for a test that is nothing without it.
func startReference(t testing.TB) string {
	t.Helper()
	if !haveReference() {
		missing(t, "no redis-server %sx here to compare with", referenceVersion)
	}
	return startRedis(t)
}
