package packaging_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// An application with Redisson, Spring Data Redis, Spring Integration and ShedLock has its tests pass with the packages
// of dist/maven, with both versions of Spring Boot. So has the example of the page.
func TestSpring_TestsOfAnApplicationPass(t *testing.T) {
	dir := copied(t, "projects/spring")
	writeExample(t, "../docs/spring.md", filepath.Join(dir, "src/test/java/com/example/orders/OrdersTest.java"))
	for _, profile := range []string{"boot3", "boot4"} {
		t.Run(profile, func(t *testing.T) {
			maven(t, dir, append(fromDist(t), "test", "-P"+profile)...)
			reports, err := filepath.Glob(filepath.Join(dir, "target", profile, "surefire-reports", "*.xml"))
			require.NoError(t, err)
			require.NotEmpty(t, reports, "no test has run")
		})
	}
}

// writeExample writes the first code in Java of a page to a file.
func writeExample(t *testing.T, page, file string) {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	_, code, _ := strings.Cut(string(text), "```java\n")
	code, _, found := strings.Cut(code, "```")
	require.True(t, found, "%s has no example", page)
	require.NoError(t, os.WriteFile(file, []byte(code), 0o600))
}

// localRepository returns a local repository of Maven without our packages: a folder of links to what the user's has.
func localRepository(t *testing.T) string {
	t.Helper()
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	local, user := t.TempDir(), filepath.Join(home, ".m2", "repository")
	link(t, user, local, "io")
	link(t, filepath.Join(user, "io"), filepath.Join(local, "io"), "minilockd")
	return local
}

// link makes links in a folder to what is in another one, but for one name.
func link(t *testing.T, from, to, except string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(from, 0o755))
	require.NoError(t, os.MkdirAll(to, 0o755))
	entries, err := os.ReadDir(from)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name() != except {
			require.NoError(t, os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())))
		}
	}
}

// withoutBinary removes the variable that would have the launcher start another binary than that of its package.
func withoutBinary(environment []string) []string {
	var rest []string
	for _, variable := range environment {
		if !strings.HasPrefix(variable, "MINILOCKD_BINARY=") {
			rest = append(rest, variable)
		}
	}
	return rest
}
