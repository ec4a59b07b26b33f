package compat

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

const module = "github.com/minilockd/minilockd"

// user is a module outside of the checkout. It gets the modules of this repository from a proxy that has them as their
// next release will be, so that their replace lines do not count.
type user struct {
	t        testing.TB
	dir, bin string
	cache    string   // its module cache
	version  string   // of the release
	env      []string // for the go command
}

// newUser makes a module of some files, by name, which requires packages of this repository.
func newUser(t testing.TB, files map[string]string, packages ...string) *user {
	t.Helper()
	u := &user{t: t, dir: t.TempDir(), bin: t.TempDir(), cache: t.TempDir(), version: requiredVersion(t)}
	proxy := t.TempDir()
	for _, part := range []string{"", "/lock", "/lock/lockotel", "/web", "/cmd/minilockd"} {
		release(t, proxy, part, u.version)
	}
	settings := strings.Fields(output(t, exec.Command("go", "env", "GOMODCACHE", "GOPROXY")))
	downloaded := filepath.Join(settings[0], "cache", "download")
	u.env = append(os.Environ(), "GOWORK=off", "GOSUMDB=off", "GOFLAGS=-modcacherw -trimpath", "GOBIN="+u.bin,
		"GOMODCACHE="+u.cache, "GOPROXY=file://"+proxy+",file://"+downloaded+","+settings[1])
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(u.dir, name), []byte(text), 0o600))
	}
	u.run("mod", "init", "user")
	for _, name := range packages {
		u.run("get", module+name+"@"+u.version)
	}
	return u
}

// run runs the go command, and returns what it prints.
func (u *user) run(args ...string) string {
	u.t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = u.dir, u.env
	return output(u.t, cmd)
}

func output(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := testenv.EndWithParent(cmd).Output()
	require.NoError(t, err, "%v\n%s%s", cmd.Args, out, stderr.String())
	return string(out)
}

// requiredVersion is the version in which the modules of this repository require each other.
func requiredVersion(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../lock/go.mod")
	require.NoError(t, err)
	found := regexp.MustCompile(module + ` (v\S+)`).FindStringSubmatch(string(text))
	require.Len(t, found, 2)
	return found[1]
}

// release lays a module out as a proxy has it.
func release(t testing.TB, proxy, part, version string) {
	t.Helper()
	dir := filepath.Join("..", filepath.FromSlash(part))
	base := filepath.Join(proxy, filepath.FromSlash(module+part), "@v", version)
	require.NoError(t, os.MkdirAll(filepath.Dir(base), 0o700))
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(base+".mod", mod, 0o600))
	require.NoError(t, os.WriteFile(base+".info", fmt.Appendf(nil, `{"Version":%q}`, version), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(base), "list"), []byte(version), 0o600))
	file, err := os.Create(base + ".zip")
	require.NoError(t, err)
	archive := zip.NewWriter(file)
	require.NoError(t, pack(archive, dir, module+part+"@"+version))
	require.NoError(t, archive.Close())
	require.NoError(t, file.Close())
}

// pack adds the files of a module, which ends where another one begins.
func pack(archive *zip.Writer, dir, name string) error {
	return fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != ".":
			if _, err := os.Stat(filepath.Join(dir, path, "go.mod")); err == nil || path == ".git" {
				return fs.SkipDir
			}
		case entry.Type().IsRegular() && path != ".git":
			text, err := os.ReadFile(filepath.Join(dir, path))
			if err != nil {
				return err
			}
			packed, err := archive.Create(name + "/" + path)
			if err != nil {
				return err
			}
			_, err = packed.Write(text)
			return err
		}
		return nil
	})
}

// modules are the modules of the build list, without those of this repository and the user's own.
func (u *user) modules() []string {
	u.t.Helper()
	all := strings.Fields(u.run("list", "-m", "-f", "{{.Path}}", "all"))
	return slices.DeleteFunc(all, func(path string) bool { return path == "user" || strings.HasPrefix(path, module) })
}

func importing(packages ...string) map[string]string {
	text := "package user\n"
	for _, name := range packages {
		text += fmt.Sprintf("import _ %q\n", module+name)
	}
	return map[string]string{"user_test.go": text}
}

// serverRequires are the modules in the graph of a user of the server: redcon, gopher-lua, xxh3 and what these require.
var serverRequires = []string{
	"github.com/chzyer/logex", "github.com/chzyer/readline", "github.com/chzyer/test", "github.com/klauspost/cpuid/v2",
	"github.com/tidwall/btree", "github.com/tidwall/match", "github.com/tidwall/redcon",
	"github.com/yuin/gopher-lua", "github.com/zeebo/assert", "github.com/zeebo/xxh3", "golang.org/x/sys",
}

// The requirements of every module in the graph take part in a user's selection of versions. So the server has few.
func TestModules_ServerRequiresLittle(t *testing.T) {
	u := newUser(t, importing("/server"), "/server")
	u.run("mod", "tidy")
	u.run("vet", "./...")
	require.Equal(t, serverRequires, u.modules())
}

func TestModules_LockRequiresGoRedis(t *testing.T) {
	u := newUser(t, importing("/lock"), "/lock")
	u.run("mod", "tidy")
	u.run("vet", "./...")
	ofGoRedis := []string{
		"github.com/redis/go-redis/v9", "github.com/bsm/ginkgo/v2", "github.com/bsm/gomega", "github.com/cespare/xxhash/v2",
		"github.com/klauspost/cpuid/v2", "github.com/zeebo/xxh3", "go.uber.org/atomic",
		"github.com/stretchr/testify", "go.yaml.in/yaml/v3", // atomic's
	}
	known := slices.Concat(serverRequires, ofGoRedis, []string{"github.com/anishathalye/porcupine"})
	require.Empty(t, slices.DeleteFunc(u.modules(), func(path string) bool { return slices.Contains(known, path) }))
}

// What the page requires stays out of the graph of those who use the server only.
func TestModules_Web(t *testing.T) {
	newUser(t, importing("/web", "/server"), "/web", "/server").run("vet", "./...")
}

func TestModules_LockOTel(t *testing.T) {
	newUser(t, importing("/lock/lockotel", "/server"), "/lock/lockotel", "/server").run("vet", "./...")
}

// The binary can be installed by its version, which no module with a replacement can be, and finds its profile.
func TestModules_InstallBinary(t *testing.T) {
	u := newUser(t, nil)
	u.run("install", "-pgo=off", module+"/cmd/minilockd@"+u.version)
	require.Contains(t, output(t, exec.Command(filepath.Join(u.bin, "minilockd"), "--version")), u.version)
	require.FileExists(t, filepath.Join(u.cache, module+"/cmd/minilockd@"+u.version, "default.pgo"))
}
