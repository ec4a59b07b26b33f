package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// sumsFile lists the SHA-256 sums of all packages, as sha256sum -c reads them.
const sumsFile = "SHA256SUMS"

// sums writes sumsFile.
func (b *build) sums() error {
	var text strings.Builder
	err := filepath.WalkDir(b.out, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == sumsFile {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(b.out, path)
		fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(content), filepath.ToSlash(name))
		return err
	})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(b.out, sumsFile), []byte(text.String()), 0o644)
}
