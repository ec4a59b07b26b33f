package compat

import (
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// clientVersions are the versions of Redisson that the Java tests in redisson are run with: the latest, and the oldest
// that is still in wide use.
var clientVersions = []string{"4.7.0", "3.13.6"}

// newestRedis is the server for the objects that need commands which Redis before it lacks.
const newestRedis = "8.4"

// password is that of the server with a password in the Java tests.
const password = "correct horse"

// TestRedisson runs the Java tests of each client version against five fresh servers.
func TestRedisson(t *testing.T) {
	if !testenv.Long() {
		t.Skip("takes minutes")
	}
	for _, version := range clientVersions {
		t.Run(version, func(t *testing.T) { testRedisson(t, version) })
	}
}

func testRedisson(t *testing.T, version string) {
	build := t.TempDir()
	start := time.Now()
	err := mavenTests(t, version, build).Run()
	result := readReports(t, filepath.Join(build, version, "surefire-reports"))
	t.Logf("Redisson %s: %d tests run, %d failed, %d skipped in %.0f s",
		version, result.run, result.failed, result.skipped, time.Since(start).Seconds())
	require.NoError(t, err, "mvn test")
	require.Positive(t, result.run, "no test was run")
	require.Zero(t, result.failed)
}

// mavenTests returns the command that runs the Java tests, against servers that it starts.
func mavenTests(t *testing.T, version, build string) *exec.Cmd {
	mvn := mavenCommand(t, "redisson", build, "test",
		"-Dredisson.version="+version,
		"-Dserver.address="+redisURL(startTarget(t)),
		"-Dserver.others="+redisURL(startTarget(t))+","+redisURL(startTarget(t)),
		"-Dserver.newest="+redisURL(startTargetOf(t, newestRedis)),
		"-Dserver.secured="+redisURL(startTarget(t, "--requirepass", password)),
		"-Dserver.password="+password)
	mvn.Stdout, mvn.Stderr = t.Output(), t.Output()
	return testenv.EndWithParent(mvn)
}

func redisURL(address string) string { return "redis://" + address }

// testCounts counts test cases.
type testCounts struct{ run, failed, skipped int }

// suite is a part of a Surefire report. The test cases are counted because the report's own totals omit nested classes.
type suite struct {
	Cases []struct {
		Failure *struct{} `xml:"failure"`
		Error   *struct{} `xml:"error"`
		Skipped *struct{} `xml:"skipped"`
	} `xml:"testcase"`
}

func readReports(t *testing.T, dir string) (sum testCounts) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "TEST-*.xml"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var report suite
		require.NoError(t, xml.Unmarshal(text, &report), file)
		for _, testcase := range report.Cases {
			switch {
			case testcase.Skipped != nil:
				sum.skipped++
				continue
			case testcase.Failure != nil, testcase.Error != nil:
				sum.failed++
			}
			sum.run++
		}
	}
	return sum
}
