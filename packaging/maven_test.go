package packaging_test

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// maven runs Maven in a folder. Artifacts of this project that another run has left in the local repository would hide
// those of dist/, so they are removed.
func maven(t *testing.T, dir string, args ...string) {
	t.Helper()
	testenv.RequirePrograms(t, "java", "mvn")
	purge(t)
	t.Cleanup(func() { purge(t) })
	cmd := exec.Command("mvn", append([]string{"-B", "-q", "-Dmaven.repo.local=" + localRepository(t)}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "MINILOCKD_BINARY=")
	t.Log(testenv.Run(t, cmd))
}

func localRepository(t *testing.T) string {
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	return filepath.Join(home, ".m2", "repository")
}

func purge(t *testing.T) {
	require.NoError(t, os.RemoveAll(filepath.Join(localRepository(t), "io", "minilockd")))
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

// The project of a user, with the packages of dist/ alone, and the example of the documentation.
func TestMaven_ProjectWithJUnit(t *testing.T) {
	dir := copied(t, "projects/java")
	example := javaBlock(t, "../docs/java.md", "class OrdersTest")
	own, err := os.ReadFile(filepath.Join(dir, "src/test/java/orders/OrdersTest.java"))
	require.NoError(t, err)
	require.Equal(t, string(own), example)
	maven(t, dir, append(fromDist(t), "test")...)
}

// The same tests of the extension with the next JUnit, which has another engine.
func TestMaven_ProjectWithJUnit6(t *testing.T) {
	maven(t, copied(t, "projects/java"), append(fromDist(t), "test", "-Djunit.version=6.0.3",
		"-Djunit.platform.version=6.0.3", "-Dtest=OrdersTest,LeakTest")...)
}

// The tests of the packages themselves, with the compiler's warnings, Checkstyle and the format.
func TestMaven_PackagesAndLint(t *testing.T) {
	binary := filepath.Join(dist(t, "maven"), "..", "..", "bin", "linux-amd64", "minilockd")
	maven(t, copied(t, "maven"), "verify", "-Plint", "-Dminilockd.binary="+binary, "-DargLine=-Dminilockd.binary="+binary)
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

// javaBlock returns the Java code of a page that contains a text.
func javaBlock(t *testing.T, page, text string) string {
	t.Helper()
	content, err := os.ReadFile(page)
	require.NoError(t, err)
	for _, block := range bytes.Split(content, []byte("```java\n"))[1:] {
		code, _, _ := bytes.Cut(block, []byte("```"))
		if bytes.Contains(code, []byte(text)) {
			return string(code)
		}
	}
	t.Fatalf("%s has no Java code with %q", page, text)
	return ""
}
