package packaging_test

import (
	"path/filepath"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// An application with Redisson, Spring Data Redis, Spring Integration and ShedLock has its tests pass with the packages
// of dist/maven, with both versions of Spring Boot. So has the example of the page.
func TestSpring_TestsOfAnApplicationPass(t *testing.T) {
	dir := copied(t, "projects/spring")
	writeExample(t, "spring.md", "java", filepath.Join(dir, "src/test/java/com/example/orders/OrdersTest.java"))
	for _, profile := range []string{"boot3", "boot4"} {
		t.Run(profile, func(t *testing.T) {
			runMaven(t, dir, "test", "-P"+profile)
			reports, err := filepath.Glob(filepath.Join(dir, "target", profile, "surefire-reports", "*.xml"))
			require.NoError(t, err)
			require.NotEmpty(t, reports, "no test has run")
		})
	}
}
