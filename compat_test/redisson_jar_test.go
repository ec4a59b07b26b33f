package compat

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// jarVersions are the Redisson releases whose scripts are read, from old to new.
var jarVersions = []string{"3.13.6", "3.37.0", "3.52.0", "4.7.0"}

// jarScript is a string constant with a Redis call, and where it is loaded. Scripts are kept in memory only: they are
// not to be copied into this repository.
type jarScript struct {
	class  string // simple class name, such as RedissonLock
	method string
	text   string
	joined bool
}

// jar is what is read from a Redisson jar.
type jar struct {
	classes   int         // class files outside META-INF
	constants int         // UTF-8 constants with a Redis call, summed over classes
	uses      []jarScript // in the order of the jar and of the bytecode
}

var jarCache sync.Map // version -> *jar

// openJar reads the jar of a Redisson version from the local Maven repository, and downloads it before if necessary.
func openJar(t testing.TB, version string) *jar {
	t.Helper()
	if j, ok := jarCache.Load(version); ok {
		return j.(*jar)
	}
	j, err := readJar(findJar(t, version))
	require.NoError(t, err, "redisson %s", version)
	jarCache.Store(version, j)
	return j
}

func findJar(t testing.TB, version string) string {
	t.Helper()
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	path := filepath.Join(home, ".m2", "repository", "org", "redisson", "redisson", version, "redisson-"+version+".jar")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	testenv.Download(t, mavenCommand(t, ".", t.TempDir(), "dependency:get", "-Dtransitive=false",
		"-Dartifact=org.redisson:redisson:"+version))
	return path
}

func readJar(path string) (*jar, error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	j := &jar{}
	for _, f := range archive.File {
		if !strings.HasSuffix(f.Name, ".class") || strings.HasPrefix(f.Name, "META-INF/") {
			continue
		}
		j.classes++
		if err := j.addClass(f); err != nil {
			return nil, err
		}
	}
	return j, nil
}

func (j *jar) addClass(f *zip.File) error {
	data, err := readAll(f)
	if err != nil || !callsRedis(string(data)) {
		return err
	}
	c, err := parseClass(data)
	if err != nil {
		return err
	}
	for _, e := range c.pool {
		if e.tag == tagUTF8 && callsRedis(e.text) {
			j.constants++
		}
	}
	simple := strings.TrimSuffix(f.Name[strings.LastIndexByte(f.Name, '/')+1:], ".class")
	for _, use := range c.strings(callsRedis) {
		j.uses = append(j.uses, jarScript{simple, use.method, use.text, use.joined})
	}
	return nil
}

func readAll(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var b bytes.Buffer
	_, err = io.Copy(&b, r)
	return b.Bytes(), err
}

func callsRedis(text string) bool {
	return strings.Contains(text, "redis.call") || strings.Contains(text, "redis.pcall")
}

// distinct returns each script once, complete scripts and fragments separately.
func (j *jar) distinct() (complete, fragments []jarScript) {
	seen := map[string]bool{}
	for _, use := range j.uses {
		switch {
		case seen[use.text]:
		case use.joined:
			fragments = append(fragments, use)
		default:
			complete = append(complete, use)
		}
		seen[use.text] = true
	}
	return complete, fragments
}
