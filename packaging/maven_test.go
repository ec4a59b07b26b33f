package packaging_test

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// maven runs Maven in a folder, without what was installed of this project.
func maven(t *testing.T, dir string, args ...string) {
	t.Helper()
	testenv.RequirePrograms(t, "java", "mvn")
	cmd := exec.CommandContext(t.Context(), "mvn",
		append([]string{"-B", "-q", "-Dmaven.repo.local=" + localRepository(t)}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(withoutBinary(os.Environ()), "XDG_CACHE_HOME="+t.TempDir())
	testenv.Run(t, cmd)
}

// fromDist are the arguments by which a project takes the packages from dist/.
func fromDist(t *testing.T) []string {
	t.Helper()
	return []string{"-Dminilockd.version=" + version(t), "-Dminilockd.repository=file://" + dist(t, "maven")}
}

// copied returns a copy of a folder, outside of the checkout.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(dir))
	require.NoError(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

// The project of a user has its tests pass with the packages of dist/ alone, and so has the example of the page: with
// JUnit 5 and 6, whose engines differ.
func TestMaven_TestsOfAProjectPass(t *testing.T) {
	dir := copied(t, "projects/java")
	writeExample(t, "../docs/java.md", filepath.Join(dir, "src/test/java/orders/OrdersTest.java"))
	maven(t, dir, append(fromDist(t), "test")...)
	reports, err := filepath.Glob(filepath.Join(dir, "target", "surefire-reports", "*.xml"))
	require.NoError(t, err)
	require.NotEmpty(t, reports, "no test has run")
	maven(t, dir, append(fromDist(t), "test", "-Djunit.version=6.0.3", "-Djunit.platform.version=6.0.3",
		"-Dtest=LeakTest")...)
}

// The tests of the packages themselves, with the compiler's warnings, Checkstyle and the format.
func TestMaven_PackagesAndLint(t *testing.T) {
	binary := filepath.Join(dist(t, "maven"), "..", "..", "bin", "linux-amd64", "minilockd")
	maven(t, copied(t, "maven"), "verify", "-Plint", "-Dminilockd.binary="+binary)
}

// Each jar is small enough, has a licence, and those with a binary the licences of what it is made of.
func TestMaven_Jars(t *testing.T) {
	jars, err := filepath.Glob(filepath.Join(dist(t, "maven"), "io", "minilockd", "*", version(t), "*-"+version(t)+".jar"))
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
