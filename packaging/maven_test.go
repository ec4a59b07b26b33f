package packaging_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// runMaven runs Maven in a folder. It takes the packages from dist/, in a version that no other test has: so the local
// repository of the user serves, and has everything else.
func runMaven(t *testing.T, dir string, args ...string) {
	t.Helper()
	testenv.RequirePrograms(t, "java", "mvn")
	t.Cleanup(func() {
		forgetPackages(t)
		logDumps(t, dir)
	})
	variables := []string{"XDG_CACHE_HOME=" + t.TempDir()}
	testenv.Run(t, in(dir, variables, "mvn", append([]string{"-B", "-q", "-Dminilockd.version=" + mavenVersion(t),
		"-Dminilockd.repository=file://" + dist(t, "maven")}, args...)...))
}

// logDumps logs what Surefire has written about a JVM that did not end as expected, if the test has failed.
func logDumps(t *testing.T, dir string) {
	if !t.Failed() {
		return
	}
	for _, pattern := range []string{"target/surefire-reports/*.dump*", "*/target/surefire-reports/*.dump*",
		"target/*/surefire-reports/*.dump*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		for _, name := range found {
			text, err := os.ReadFile(name)
			t.Logf("%s: %v\n%s", name, err, text)
		}
	}
}

// forgetPackages removes the packages of this version from the local repository.
func forgetPackages(t *testing.T) {
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	found, err := filepath.Glob(filepath.Join(home, ".m2", "repository", "io", "minilockd", "*", mavenVersion(t)))
	require.NoError(t, err)
	for _, dir := range found {
		require.NoError(t, os.RemoveAll(dir))
		_ = os.Remove(filepath.Dir(dir)) // unless it has another version
	}
}

// The project of a user has its tests pass with the packages of dist/ alone, and so has the example of the page: with
// JUnit 5 and 6, whose engines differ.
func TestMaven_TestsOfAProjectPass(t *testing.T) {
	dir := copied(t, "projects/java")
	writeExample(t, "java.md", "java", filepath.Join(dir, "src/test/java/orders/OrdersTest.java"))
	runMaven(t, dir, "test")
	reports, err := filepath.Glob(filepath.Join(dir, "target", "surefire-reports", "*.xml"))
	require.NoError(t, err)
	require.NotEmpty(t, reports, "no test has run")
	runMaven(t, dir, "test", "-Djunit.version=6.0.3", "-Djunit.platform.version=6.0.3", "-Dtest=LeakTest")
}

// The tests of the packages themselves, with the compiler's warnings, Checkstyle and the format.
func TestMaven_PackagesAndLint(t *testing.T) {
	runMaven(t, copied(t, "maven"), "verify", "-Plint", "-Dminilockd.binary="+binary(t))
}

// Each jar is small enough, has a licence, and those with a binary the licences of what it is made of.
func TestMaven_Jars(t *testing.T) {
	version := mavenVersion(t)
	jars, err := filepath.Glob(filepath.Join(dist(t, "maven"), "io", "minilockd", "*", version, "*-"+version+".jar"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(jars), 7)
	for _, jar := range jars {
		info, err := os.Stat(jar)
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(6_000_000), jar)
		names := entries(t, jar)
		require.Contains(t, names, "META-INF/LICENSE")
		if platform, ok := strings.CutPrefix(filepath.Base(filepath.Dir(filepath.Dir(jar))), "minilockd-binary-"); ok {
			require.Contains(t, names, "META-INF/THIRD_PARTY_LICENSES.txt")
			require.Contains(t, names, "META-INF/minilockd/"+platform+"/binary.properties")
		}
		for _, kind := range []string{"-sources.jar", "-javadoc.jar"} {
			require.FileExists(t, strings.TrimSuffix(jar, ".jar")+kind)
		}
	}
}

// entries returns the names of the files in a jar.
func entries(t *testing.T, jar string) (names []string) {
	t.Helper()
	archive, err := zip.OpenReader(jar)
	require.NoError(t, err)
	defer archive.Close()
	for _, f := range archive.File {
		names = append(names, f.Name)
	}
	return names
}
