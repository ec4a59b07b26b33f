package compat

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

const recipesPage = "../docs/testing-locks.md"

// The Go code of the page is that of the tests, function by function, and the page has all of them.
func TestDoc_RecipesAreTests(t *testing.T) {
	text, err := os.ReadFile("../lock/recipes_test.go")
	require.NoError(t, err)
	tests, shown := string(text), map[string]bool{}
	function := regexp.MustCompile(`(?m)^func (\w+)\(`)
	for _, b := range blocks(t, "go") {
		if b.page != recipesPage {
			continue
		}
		require.Contains(t, tests, b.text, "%s differs from the test", b)
		for _, name := range function.FindAllStringSubmatch(b.text, -1) {
			shown[name[1]] = true
		}
	}
	for _, name := range function.FindAllStringSubmatch(tests, -1) {
		require.True(t, shown[name[1]], "%s is not on the page", name[1])
	}
}

// The server accepts the commands that the page names.
func TestDoc_RecipesCommands(t *testing.T) {
	page, err := os.ReadFile(recipesPage)
	require.NoError(t, err)
	rdb := redis.NewClient(&redis.Options{Addr: server.StartT(t).Addr()})
	defer func() { require.NoError(t, rdb.Close()) }()
	commands := 0
	command := regexp.MustCompile("`((CLOCK|FAULT|LOCK)\\.[^`]+|(PUBLISH|ZADD|PTTL) [^`]+)`")
	for _, span := range command.FindAllSubmatch(page, -1) {
		list, open, err := splitArgs(strings.Join(strings.Fields(string(span[1])), " "))
		require.NoError(t, err)
		require.False(t, open)
		args := make([]any, len(list))
		for i, w := range list {
			args[i] = w
		}
		if err := rdb.Do(t.Context(), args...).Err(); err != redis.Nil {
			require.NoError(t, err, "%s", span[1])
		}
		commands++
	}
	require.Greater(t, commands, 20)
}
