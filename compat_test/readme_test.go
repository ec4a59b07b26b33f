package compat

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/acl"
	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/redisconf"
	"github.com/minilockd/minilockd/internal/require"
)

// codeBlock is a fenced block of a page.
type codeBlock struct {
	page, language, text string
	line                 int // of its first line
}

func (b codeBlock) String() string { return fmt.Sprintf("%s:%d", filepath.Base(b.page), b.line) }

// packagePages are about packages for other languages: the tests of packaging run their blocks.
var packagePages = []string{"../docs/java.md", "../docs/node.md", "../docs/python.md", "../docs/spring.md"}

// pages returns the pages that are checked.
func pages(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob("../docs/*.md")
	require.NoError(t, err)
	docs = slices.DeleteFunc(docs, func(page string) bool { return slices.Contains(packagePages, page) })
	require.NotEmpty(t, docs)
	return append(docs, "../README.md")
}

// blocks returns the blocks of all pages in some languages.
func blocks(t *testing.T, languages ...string) (found []codeBlock) {
	t.Helper()
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		var open *codeBlock
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			language, isFence := strings.CutPrefix(line, "```")
			switch {
			case isFence && open == nil:
				open = &codeBlock{page: page, language: strings.TrimSpace(language), line: number + 1}
			case isFence:
				found = append(found, *open)
				open = nil
			case open != nil:
				open.text += line
			}
		}
		require.Nil(t, open, "%s: a block is not closed", page)
	}
	return slices.DeleteFunc(found, func(b codeBlock) bool { return !slices.Contains(languages, b.language) })
}

// Every block is text, or in a language that a test checks.
func TestReadme_Languages(t *testing.T) {
	languages := []string{"go", "java", "js", "python", "sh", "text", "ts"}
	require.Empty(t, blocks(t, ""), "blocks without a language")
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, match := range regexp.MustCompile("(?m)^```(.+)$").FindAllStringSubmatch(string(text), -1) {
			require.Contains(t, languages, match[1], page)
		}
	}
}

// goImports are the packages that blocks use.
var goImports = map[string]string{
	"context": "context", "errors": "errors", "strings": "strings", "testing": "testing", "time": "time",
	"synctest": "testing/synctest",
	"redis":    "github.com/redis/go-redis/v9",
	"server":   module + "/server",
	"fault":    module + "/fault",
	"lock":     module + "/lock",

	"journal": module + "/journal",
	"web":     module + "/web",
}

// goHeader declares the variables that the text before a block introduces.
const goHeader = `
	_ = func(ctx context.Context, t *testing.T, rdb redis.UniversalClient, srv *server.Server,
		work func(context.Context) error) (err error) {
`

// declared matches the variables that a line of a block declares, which the block need not use.
var declared = regexp.MustCompile(`(?m)^(\w+(?:, \w+)*) := `)

// goFile returns a Go file with a block: files and declarations unchanged, statements in the body of a function.
func goFile(b codeBlock) string {
	code := b.text
	if _, rest, whole := strings.Cut(code, "package orders\n"); whole { // a file as it is, but for its package
		return "package readme\n" + rest
	}
	if !regexp.MustCompile(`(?m)^(func|type|package) `).MatchString(code) {
		for _, line := range declared.FindAllStringSubmatch(code, -1) {
			for name := range strings.SplitSeq(line[1], ", ") {
				code += "_ = " + name + "\n"
			}
		}
		code = "var" + goHeader + "{\n" + code + "}\nreturn err\n}\n"
	}
	var imports strings.Builder
	for name, path := range goImports {
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(code) {
			fmt.Fprintf(&imports, "import %s %q\n", name, path)
		}
	}
	return "package readme\n\n" + imports.String() + "\n" + strings.Replace(code, b.text, "//line "+b.String()+"\n"+b.text,
		1)
}

// The Go blocks compile in a module that gets this one's packages, and those that are tests pass.
func TestReadme_GoBlocks(t *testing.T) {
	found := blocks(t, "go")
	require.NotEmpty(t, found)
	files := map[string]string{}
	for i, b := range found {
		files[fmt.Sprintf("block%d_test.go", i)] = goFile(b)
	}
	u := newUser(t, files, "/server", "/lock", "/web")
	require.Contains(t, u.run("test", "-vet=off", "-v", "-count=1", "."), "--- PASS: TestOrders")
}

// The Java blocks compile against Redisson, but for tests: those are of the page about Java.
func TestReadme_JavaBlocks(t *testing.T) {
	found := slices.DeleteFunc(blocks(t, "java"), func(b codeBlock) bool { return strings.Contains(b.text, "@Test") })
	require.NotEmpty(t, found)
	dir := t.TempDir()
	var files []string
	for i, b := range found {
		file := filepath.Join(dir, fmt.Sprintf("Block%d.java", i))
		code := fmt.Sprintf("import org.redisson.*;\nimport org.redisson.api.*;\nimport org.redisson.config.*;\nclass "+
			"Block%d {\nvoid run() throws Exception {\n%s}\n}\n",
			i, b.text)
		require.NoError(t, os.WriteFile(file, []byte(code), 0o600))
		files = append(files, file)
	}
	compileJava(t, findJar(t, "4.7.0"), dir, files...)
}

var (
	longOption = regexp.MustCompile(`(^|[\s"` + "`" + `])--([a-z][a-z0-9-]*)`)
	codeSpan   = regexp.MustCompile("`[^`\n]+`")
	pathWord   = regexp.MustCompile(`(^|\s)(\./[\w./-]+)`)
)

// Options of minilockd in shell blocks and in code spans exist, and the paths in shell blocks, too.
func TestReadme_ShellBlocks(t *testing.T) {
	found := blocks(t, "sh")
	require.NotEmpty(t, found)
	for _, b := range found {
		for line := range strings.Lines(b.text) {
			code, _, _ := strings.Cut(line, " # ")
			for _, path := range pathWord.FindAllStringSubmatch(code, -1) {
				if path[2] != "./..." {
					require.FileExists(t, filepath.Join("..", path[2], "main.go"), "%s: %s", b, line)
				}
			}
			if strings.Contains(code, "minilockd") {
				requireOptions(t, code, b.String())
			}
		}
	}
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, span := range codeSpan.FindAllString(string(text), -1) {
			requireOptions(t, span, page)
		}
	}
}

// requireOptions checks that all options in some code are options of minilockd or parameters of redis.conf.
func requireOptions(t *testing.T, code, where string) {
	t.Helper()
	for _, option := range longOption.FindAllStringSubmatch(code, -1) {
		name := option[2]
		if strings.Contains(help(t), "--"+name+" ") {
			continue
		}
		err := config.New(emulate.Named(""), acl.NewCommands(emulate.Named(""), nil, nil)).Load(name, "")
		require.False(t, errors.Is(err, redisconf.ErrDirective), "%s: --%s", where, name)
	}
}

// help returns what minilockd prints about its options, and about those of "minilockd locks".
func help(t *testing.T) string {
	t.Helper()
	locks, err := exec.Command(minilockdBinary(t), "locks", "--help").CombinedOutput()
	require.NoError(t, err)
	return stdout(t, exec.Command(minilockdBinary(t), "--help")) + string(locks)
}
