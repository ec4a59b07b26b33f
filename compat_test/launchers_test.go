package compat

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/testenv"
)

// The releases of the harnesses that are run; that of embedded-redis is in its pom.xml.
const (
	pytestRedisVersion       = "5.0.1"
	redisMemoryServerVersion = "0.17.1"
)

// Programs that start a given redis-server for tests start minilockd by its path.

func TestHarness_PytestRedis(t *testing.T) {
	requireTools(t, "python3")
	binary := harnessBinary(t)
	venv := filepath.Join(t.TempDir(), "venv")
	fetch(t, exec.Command("python3", "-m", "venv", venv))
	fetch(t, exec.Command(filepath.Join(venv, "bin", "pip"), "install", "--quiet", "pytest-redis=="+pytestRedisVersion))
	cmd := exec.Command(filepath.Join(venv, "bin", "python"), "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider",
		"--basetemp", filepath.Join(t.TempDir(), "tests"), "--redis-exec", binary, "--redis-save", "3600 1", ".")
	runHarness(t, cmd, "pytest")
}

func TestHarness_RedisMemoryServer(t *testing.T) {
	requireTools(t, "node", "npm")
	binary := harnessBinary(t)
	dir := t.TempDir()
	fetch(t, exec.Command("npm", "install", "--silent", "--ignore-scripts", "--no-save", "--prefix", dir,
		"redis-memory-server@"+redisMemoryServerVersion))
	cmd := exec.Command("node", "start.js", binary)
	cmd.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(dir, "node_modules"))
	runHarness(t, cmd, "node")
}

func TestHarness_EmbeddedRedis(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Maven")
	}
	requireTools(t, "java", "mvn")
	binary := harnessBinary(t)
	runHarness(t, exec.Command("mvn", "-B", "-q", "test", "-Dminilockd="+binary), "embeddedredis")
}

// harnessBinary is the path of minilockd. There is nothing to see where redis-server stands in its lockRef.
func harnessBinary(t *testing.T) string {
	t.Helper()
	if comparesRedisWithItself() {
		t.Skip("the harnesses know redis-server")
	}
	binary, err := buildServer()
	require.NoError(t, err)
	return binary
}

// fetch runs what gets a harness. If that fails it is as with a jar: see missing.
func fetch(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := testenv.EndWithParent(cmd).CombinedOutput(); err != nil {
		missing(t, "%s: %v\n%s", cmd, err, out)
	}
}

// runHarness runs a command in its folder below harness.
func runHarness(t *testing.T, cmd *exec.Cmd, folder string) {
	t.Helper()
	cmd.Dir = filepath.Join("harness", folder)
	out, err := testenv.EndWithParent(cmd).CombinedOutput()
	require.NoError(t, err, "%s\n%s", cmd, out)
	t.Logf("%s", out)
}
