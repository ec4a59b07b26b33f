package packaging_test

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// pnpm is the version that runs on Node 20.
const pnpm = "pnpm@10.34.8"

// The projects of packaging/projects/node are installed from the tarballs in dist/, and their tests run. Nothing of the
// checkout is in reach of them.
func TestNpm(t *testing.T) {
	testenv.RequirePrograms(t, "node", "npm")
	registry := npmRegistry(t)
	t.Run("node:test", func(t *testing.T) {
		dir := nodeProject(t, "plain", registry, "npm", "install")
		t.Log(testenv.Run(t, inNode(dir, "npm", "test")))
	})
	t.Run("Vitest, TypeScript", func(t *testing.T) {
		dir := nodeProject(t, "vitest", registry, "npm", "install")
		writeExample(t, "node.md", "ts", filepath.Join(dir, "test", "docs.test.ts"))
		testenv.Run(t, inNode(dir, "npm", "run", "types"))
		t.Log(testenv.Run(t, inNode(dir, "npm", "test")))
		checkLeaks(t, inNode(dir, "npx", "vitest", "run", "--config", "leaks.config.ts"))
	})
	t.Run("Jest, pnpm", func(t *testing.T) {
		dir := nodeProject(t, "jest", registry, "npm", "exec", "--yes", pnpm, "--", "install")
		t.Log(testenv.Run(t, inNode(dir, "npm", "test")))
		checkLeaks(t, inNode(dir, "npx", "jest", "leaks/"))
	})
}

// The package has types for all ways to import it, and its sources are as the linter wants them.
func TestNpm_Lint(t *testing.T) {
	testenv.RequirePrograms(t, "node", "npm")
	dir := t.TempDir()
	for _, folder := range []string{"npm", "projects/node"} {
		copyFiles(t, folder, filepath.Join(dir, folder))
	}
	npm := filepath.Join(dir, "npm")
	testenv.Download(t, inNode(npm, "npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"))
	testenv.Run(t, inNode(npm, "npm", "run", "lint"))
	for _, tarball := range npmTarballs(t) {
		if filepath.Base(tarball) == "minilockd-"+version(t)+".tgz" {
			testenv.Run(t, inNode(npm, "npx", "attw", tarball, "--profile", "node16", "--ignore-rules", "cjs-resolves-to-esm"))
			testenv.Run(t, inNode(npm, "npx", "publint", "--strict", tarball))
		}
	}
}

// inNode is in for npm and Node, without what a developer has set for these.
func inNode(dir, name string, args ...string) *exec.Cmd {
	return in(dir, []string{"NO_COLOR=1", "NODE_OPTIONS=", "npm_config_update_notifier=false"}, name, args...)
}

// nodeProject copies a project to a new folder and installs its dependencies from a registry, without scripts.
func nodeProject(t *testing.T, name, registry string, install ...string) string {
	t.Helper()
	dir := copied(t, filepath.Join("projects", "node", name))
	options := []string{"--ignore-scripts", "--prefer-offline", "--registry=" + registry}
	if install[1] == "install" {
		options = append(options, "--no-audit", "--no-fund")
	}
	testenv.Download(t, inNode(dir, install[0], append(install[1:], options...)...))
	return dir
}

// checkLeaks runs the tests of leaks/, of which two fail, and looks at what is printed.
func checkLeaks(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	bytes, err := testenv.EndWithParent(cmd).CombinedOutput()
	require.Error(t, err)
	output := string(bytes)
	for _, want := range []string{
		`locks of minilockd on 127\.0\.0\.1:\d+ are held:\n +"order:1" \(token\) is held by me since [0-9:.]+ \(.* ago\), ` +
			`which took it by connection \d+ \(`,
		`locks of minilockd on 127\.0\.0\.1:\d+:\n`,
		`"order:2" \(token\) is held by me`,
		`the last commands:\n(.*\n)*.* worker\] set order:2 me PX 30000 NX`,
		`2 failed.*[23] passed`,
	} {
		require.Regexp(t, want, output)
	}
	require.Equal(t, 2, strings.Count(output, "the last commands:"), output) // none of the tests that pass
}

func npmTarballs(t *testing.T) []string {
	t.Helper()
	tarballs, err := filepath.Glob(filepath.Join(dist(t, "npm"), "*.tgz"))
	require.NoError(t, err)
	require.Len(t, tarballs, 6)
	return tarballs
}

// npmPackument is what a registry says of a package: all versions, with their package.json and where they are.
type npmPackument struct {
	Name     string                    `json:"name"`
	Tags     map[string]string         `json:"dist-tags"`
	Versions map[string]map[string]any `json:"versions"`
}

// npmRegistry starts a registry with the tarballs of dist/, which passes requests for other packages on to that of
// npm's configuration. It returns its URL.
func npmRegistry(t *testing.T) string {
	t.Helper()
	upstream, err := url.Parse(strings.TrimSpace(testenv.Run(t, exec.Command("npm", "config", "get", "registry"))))
	require.NoError(t, err)
	others := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(upstream) }}
	tarballs := http.FileServer(http.Dir(dist(t, "npm")))
	packuments := make(map[string]npmPackument) // by the path of the request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if packument, ok := packuments[r.URL.Path]; ok {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(packument) // an error means that npm has closed the connection
			return
		}
		if strings.Count(r.URL.Path, "/") == 1 && strings.HasSuffix(r.URL.Path, ".tgz") {
			tarballs.ServeHTTP(w, r)
			return
		}
		others.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	for _, tarball := range npmTarballs(t) {
		packument := npmPackumentOf(t, tarball, server.URL+"/"+filepath.Base(tarball))
		packuments["/"+packument.Name] = packument
	}
	return server.URL
}

func npmPackumentOf(t *testing.T, tarball, address string) npmPackument {
	t.Helper()
	manifest := npmManifest(t, tarball)
	text, err := os.ReadFile(tarball)
	require.NoError(t, err)
	sum := sha512.Sum512(text)
	manifest["dist"] = map[string]string{
		"tarball": address, "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
	}
	version := fmt.Sprint(manifest["version"])
	return npmPackument{
		Name:     fmt.Sprint(manifest["name"]),
		Tags:     map[string]string{"latest": version},
		Versions: map[string]map[string]any{version: manifest},
	}
}

// npmManifest returns the package.json in a tarball.
func npmManifest(t *testing.T, tarball string) (manifest map[string]any) {
	t.Helper()
	file, err := os.Open(tarball)
	require.NoError(t, err)
	defer file.Close()
	text, err := gzip.NewReader(file)
	require.NoError(t, err)
	for archive := tar.NewReader(text); ; {
		header, err := archive.Next()
		require.NoError(t, err)
		if header.Name == "package/package.json" {
			content, err := io.ReadAll(archive)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(content, &manifest))
			return manifest
		}
	}
}
