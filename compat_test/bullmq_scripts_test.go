package compat

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// bullMQVersion is the tested release of BullMQ, a job queue for Node.
const bullMQVersion = "6.7.0"

// bullMQCount is the number of its scripts.
const bullMQCount = 64

// bullMQScripts reads the scripts from the npm package.
func bullMQScripts(t *testing.T) []scriptCase {
	t.Helper()
	data, err := os.ReadFile(npmPack(t, "bullmq", bullMQVersion))
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

// In the package each script is a JavaScript file, name-keys.js, with the text as a template literal without
// placeholders.
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
