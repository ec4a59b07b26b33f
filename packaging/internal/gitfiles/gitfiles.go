// Package gitfiles tells which files of the checkout are those of the project.
package gitfiles

import (
	"fmt"
	"os/exec"
	"strings"
)

// List returns the files in a folder that git has or would add, relative to it: what a tool has left there is not among
// them. One that was removed without git may be.
func List(dir string) ([]string, error) {
	git := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	git.Dir = dir
	out, err := git.Output()
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", git, dir, err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}
