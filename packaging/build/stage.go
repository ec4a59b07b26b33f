package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"github.com/minilockd/minilockd/packaging/internal/gitfiles"
)

// placeholder is the version in the files of the checkout.
var placeholder = regexp.MustCompile(`(^|[^0-9.])0\.0\.0($|[^0-9.])`)

// stage copies packaging/<ecosystem> to a temporary folder: the files that git has or would add, with the version of
// the packages in place of 0.0.0, and the licences beside them.
func (b *build) stage(ecosystem string) (dir string, err error) {
	from, dir := filepath.Join(b.root, "packaging", ecosystem), filepath.Join(b.work, ecosystem)
	names, err := gitfiles.List(from)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if err := b.stageFile(filepath.Join(from, name), filepath.Join(dir, name)); err != nil {
			return "", err
		}
	}
	return dir, b.licences(dir)
}

// stageFile copies a file, unless it was removed since git knew of it.
func (b *build) stageFile(from, to string) error {
	info, err := os.Stat(from)
	if os.IsNotExist(err) {
		return nil
	} else if err != nil {
		return err
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	text = placeholder.ReplaceAll(text, []byte("${1}"+b.version+"${2}"))
	return writeFile(to, text, info.Mode().Perm())
}

// writeFile writes a file and makes its folder.
func writeFile(name string, text []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, mode)
}

// run runs a program in a folder. Tools that write times into what they make take that of SOURCE_DATE_EPOCH; see
// reproducible-builds.org.
func (b *build) run(dir, name string, args ...string) error {
	return b.runWith(nil, dir, name, args...)
}

// runWith is run with variables of the environment.
func (b *build) runWith(env []string, dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", epoch.Unix())), env...)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s in %s: %w\n%s", cmd, dir, err, output)
	}
	return nil
}
