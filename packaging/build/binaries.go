package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module is the path of the module of the server.
const module = "github.com/minilockd/minilockd"

// platform is a system that there are packages for: GOOS and GOARCH.
type platform struct{ os, arch string }

var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"},
}

// executable is the name of the binary's file.
func (p platform) executable() string {
	if p.os == "windows" {
		return "minilockd.exe"
	}
	return "minilockd"
}

// binary returns the path of the binary for a platform.
func (b *build) binary(p platform) string {
	return filepath.Join(b.bin, p.os+"-"+p.arch, p.executable())
}

// settings are those of the go command on which the bytes of a binary depend.
var settings = []string{"CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT="}

// binaries builds the binary for all platforms, unless it is there. It is static: on Linux it needs no C library, so it
// runs with glibc and musl alike.
func (b *build) binaries() error {
	version := fmt.Sprintf("-X %s/internal/version.release=v%s", module, b.version)
	for _, p := range b.platforms {
		if _, err := os.Stat(b.binary(p)); err == nil {
			continue
		}
		cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w "+version,
			"-o", b.binary(p), "./cmd/minilockd")
		cmd.Dir = b.root
		cmd.Env = append(append(os.Environ(), settings...), "GOOS="+p.os, "GOARCH="+p.arch)
		if output, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", cmd, err, output)
		}
	}
	return nil
}

// checkout returns the root of the checkout that the command runs in.
func checkout() (string, error) {
	out, err := exec.Command("go", "env", "GOWORK").Output()
	work := strings.TrimSpace(string(out))
	if err != nil || filepath.Base(work) != "go.work" {
		return "", fmt.Errorf("run it in a checkout of minilockd, with its go.work (GOWORK=%s): %w", work, err)
	}
	return filepath.Dir(work), nil
}

// nextRelease returns the version that the modules of the checkout require of each other, which is that of the next
// release.
func nextRelease(root string) (string, error) {
	cmd := exec.Command("go", "mod", "edit", "-json", "cmd/minilockd/go.mod")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", cmd, err)
	}
	var mod struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return "", err
	}
	for _, r := range mod.Require {
		if r.Path == module {
			return strings.TrimPrefix(r.Version, "v"), nil
		}
	}
	return "", fmt.Errorf("cmd/minilockd/go.mod does not require %s", module)
}
