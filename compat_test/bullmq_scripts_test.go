package compat

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bullMQVersion is the release of BullMQ, a job queue for Node, whose scripts are run.
const bullMQVersion = "6.7.0"

// bullMQCount is how many scripts it has.
const bullMQCount = 64

// bullMQScripts reads the scripts out of the npm package. If npm is not there, or does not fetch it, it is as with a jar.
func bullMQScripts(t *testing.T) []scriptCase {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		missing(t, "npm is not installed: the scripts of BullMQ are not run")
	}
	dir := t.TempDir()
	out, err := exec.Command(npm, "pack", "--silent", "--pack-destination", dir, "bullmq@"+bullMQVersion).CombinedOutput()
	if err != nil {
		missing(t, "npm did not fetch bullmq %s: %v\n%s", bullMQVersion, err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "bullmq-"+bullMQVersion+".tgz"))
	require.NoError(t, err)
	cases, err := readPackage(data)
	require.NoError(t, err)
	require.Len(t, cases, bullMQCount)
	return cases
}

func readPackage(data []byte) (cases []scriptCase, err error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return cases, nil
		}
		if err != nil {
			return nil, err
		}
		if match, _ := path.Match("package/dist/cjs/scripts/*.js", header.Name); !match {
			continue
		}
		source, err := io.ReadAll(archive)
		if err != nil {
			return nil, err
		}
		if c, ok := bullMQScript(path.Base(header.Name), string(source)); ok {
			cases = append(cases, c)
		}
	}
}

// In the package each script is a JavaScript file, name-keys.js, with the text as a template literal without placeholders.
var (
	bullMQFile     = regexp.MustCompile(`^(\w+)-(\d+)\.js$`)
	bullMQText     = regexp.MustCompile("(?s)const content = `(.*)`;")
	templateEscape = strings.NewReplacer(`\\`, `\`, "\\`", "`", `\$`, `$`)
)

func bullMQScript(file, source string) (scriptCase, bool) {
	name, text := bullMQFile.FindStringSubmatch(file), bullMQText.FindStringSubmatch(source)
	if name == nil || text == nil {
		return scriptCase{}, false
	}
	keys, err := strconv.Atoi(name[2])
	return scriptCase{name[1], templateEscape.Replace(text[1]), keys}, err == nil
}
