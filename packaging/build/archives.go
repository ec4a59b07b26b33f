package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// epoch is the time of all files in packages, so that they do not depend on when they are made. Zip files know none
// before 1980.
var epoch = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// archives makes an archive for each platform with the binary and the licences, for those who take it without a package
// manager: tar.gz, for Windows zip.
func archives(b *build) error {
	dir := filepath.Join(b.work, "archives")
	if err := b.licences(dir); err != nil {
		return err
	}
	for _, p := range b.platforms {
		files := []string{b.binary(p), filepath.Join(dir, "LICENSE"), filepath.Join(dir, thirdParty)}
		name := fmt.Sprintf("minilockd_%s_%s_%s", b.version, p.os, p.arch)
		pack, extension := tarGz, ".tar.gz"
		if p.os == "windows" {
			pack, extension = zipped, ".zip"
		}
		var out bytes.Buffer
		if err := pack(&out, files); err != nil {
			return err
		}
		if err := writeFile(filepath.Join(b.out, "archives", name+extension), out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// mode is the permissions of the i-th file of an archive: the first one is the binary.
func mode(i int) os.FileMode {
	if i == 0 {
		return 0o755
	}
	return 0o644
}

func tarGz(out io.Writer, files []string) error {
	compressed, _ := gzip.NewWriterLevel(out, gzip.BestCompression) // the level is valid
	archive := tar.NewWriter(compressed)
	for i, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		header := &tar.Header{Name: filepath.Base(name), Size: int64(len(text)), Mode: int64(mode(i)), ModTime: epoch}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(text); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return compressed.Close()
}

func zipped(out io.Writer, files []string) error {
	archive := zip.NewWriter(out)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for i, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: filepath.Base(name), Method: zip.Deflate, Modified: epoch}
		header.SetMode(mode(i))
		file, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := file.Write(text); err != nil {
			return err
		}
	}
	return archive.Close()
}
