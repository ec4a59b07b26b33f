package compat

import (
	"context"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/testenv"
)

// clientVersions are the versions of Redisson that the Java tests in redisson/ are run with: the newest, and the oldest one
// that is still in wide use.
var clientVersions = []string{"4.7.0", "3.13.6"}

// password is what the secured server of the Java tests wants.
const password = "correct horse"

// TestRedisson runs the Java tests of each client version against four fresh servers.
func TestRedisson(t *testing.T) {
	if !testenv.Long() {
		t.Skip("takes minutes")
	}
	requireTools(t, "java", "mvn")
	for _, version := range clientVersions {
		t.Run(version, func(t *testing.T) { testRedisson(t, version) })
	}
}

func testRedisson(t *testing.T, version string) {
	reports := filepath.Join("redisson", "target", version, "surefire-reports")
	require.NoError(t, os.RemoveAll(reports), "results of an earlier run")

	began := time.Now()
	err := maven(t, version).Run()
	result := readReports(t, reports)
	t.Logf("Redisson %s: %d tests run, %d failed, %d skipped in %.0f s",
		version, result.run, result.failed, result.skipped, time.Since(began).Seconds())
	require.NoError(t, err, "mvn test")
	require.Positive(t, result.run, "no test was run")
	require.Zero(t, result.failed)
}

// maven returns the command that runs the Java tests against servers that it starts. The command is ended shortly before the
// time limit of go test, so that its servers are ended too and their output is seen.
func maven(t *testing.T, version string) *exec.Cmd {
	start := startServer
	if comparesRedisWithItself() {
		start = startRedis
	}
	ctx := t.Context()
	if deadline, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-10*time.Second))
		t.Cleanup(cancel)
	}
	mvn := exec.CommandContext(ctx, "mvn", "-B", "-q", "test",
		"-Dredisson.version="+version,
		"-Dserver.address="+redisURL(start(t)),
		"-Dserver.others="+redisURL(start(t))+","+redisURL(start(t)),
		"-Dserver.secured="+redisURL(start(t, "--requirepass", password)),
		"-Dserver.password="+password)
	mvn.Dir = "redisson"
	mvn.Stdout, mvn.Stderr = t.Output(), t.Output()
	mvn.WaitDelay = 5 * time.Second // a test process that outlives Maven keeps its output open
	return mvn
}

func redisURL(address string) string { return "redis://" + address }

// outcome counts test cases.
type outcome struct{ run, failed, skipped int }

// suite is the part of a Surefire report that is needed here. Its own totals leave nested classes out, so cases are counted.
type suite struct {
	Cases []struct {
		Failure *struct{} `xml:"failure"`
		Error   *struct{} `xml:"error"`
		Skipped *struct{} `xml:"skipped"`
	} `xml:"testcase"`
}

func readReports(t *testing.T, dir string) (sum outcome) {
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
