package compat

import (
	"os/exec"
	"testing"

	"github.com/minilockd/minilockd/internal/testenv"
)

// The tested releases of the launchers; that of embedded-redis is in its pom.xml.
const (
	pytestRedisVersion       = "5.0.1"
	redisMemoryServerVersion = "0.17.1"
)

// A launcher is a library for tests that starts a redis-server. Each of these starts minilockd instead, given its path.

func TestLaunchers_PytestRedis(t *testing.T) {
	binary := launchedBinary(t)
	pytest := exec.Command(pythonWith(t, "pytest-redis=="+pytestRedisVersion), "-B", "-m", "pytest", "-q",
		"-p", "no:cacheprovider", "--basetemp", t.TempDir(), "--redis-exec", binary, "--redis-save", "3600 1", ".")
	pytest.Dir = "launchers/pytest_redis"
	t.Log(testenv.Run(t, pytest))
}

func TestLaunchers_RedisMemoryServer(t *testing.T) {
	binary := launchedBinary(t)
	modules := npmInstall(t, "redis-memory-server@"+redisMemoryServerVersion)
	t.Log(testenv.Run(t, nodeCommand(modules, "launchers/redis_memory_server/start.js", binary)))
}

func TestLaunchers_EmbeddedRedis(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Maven")
	}
	binary := launchedBinary(t)
	t.Log(testenv.Run(t, mavenCommand(t, "launchers/embedded_redis", t.TempDir(), "test", "-Dminilockd="+binary)))
}

// launchedBinary returns the path of minilockd. With a redis-server in its place there is nothing to test.
func launchedBinary(t *testing.T) string {
	t.Helper()
	if comparesRedisWithItself() {
		t.Skip("the launchers are made for redis-server")
	}
	return minilockdBinary(t)
}
