package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// thirdParty is the file with the licences of the modules in the binary, and of Go. Most of them ask for it.
const thirdParty = "THIRD_PARTY_LICENSES.txt"

// licences writes LICENSE and the licences of others to a folder.
func (b *build) licences(dir string) error {
	own, err := os.ReadFile(filepath.Join(b.root, "LICENSE"))
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, "LICENSE"), own, 0o644); err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, thirdParty), b.thirdParty, 0o644)
}

// readThirdParty returns the text of thirdParty.
func (b *build) readThirdParty() ([]byte, error) {
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}} {{.Dir}}{{end}}",
		"./cmd/minilockd")
	list.Dir = b.root
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", list, err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	modules := []string{"Go  " + strings.TrimSpace(string(goroot))}
	seen := map[string]bool{"": true}
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); !seen[line] && !strings.HasPrefix(line, module) {
			seen[line], modules = true, append(modules, line)
		}
	}
	var text strings.Builder
	for _, m := range modules {
		name, dir := cutLast(m)
		licence, err := readLicence(dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&text, "== %s\n\n%s\n\n", strings.TrimSpace(name), strings.TrimSpace(licence))
	}
	return []byte(text.String()), nil
}

// cutLast cuts a line at its last space.
func cutLast(line string) (before, after string) {
	i := strings.LastIndexByte(line, ' ')
	return line[:max(i, 0)], line[i+1:]
}

// readLicence returns the licence in the root of a module, and its notice.
func readLicence(dir string) (string, error) {
	var text []byte
	var err error
	for _, name := range []string{"LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE", "COPYING"} {
		if text, err = os.ReadFile(filepath.Join(dir, name)); err == nil {
			break
		}
	}
	notice, _ := os.ReadFile(filepath.Join(dir, "NOTICE")) // few have one
	return string(text) + "\n" + string(notice), err
}
