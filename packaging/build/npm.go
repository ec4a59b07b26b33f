package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// nodeNames has Node's names for Go's systems and processors, where they differ.
var nodeNames = map[string]string{"windows": "win32", "amd64": "x64"}

func nodeName(name string) string {
	if other, ok := nodeNames[name]; ok {
		return other
	}
	return name
}

// nodeName is process.platform and process.arch of Node, such as "linux-x64".
func (p platform) nodeName() string { return nodeName(p.os) + "-" + nodeName(p.arch) }

// npm makes the package minilockd, and one for each platform with the binary. npm installs the one that fits the
// machine, by their fields os and cpu, so no script has to run at install time.
func npm(b *build) error {
	dir, err := b.stage("npm")
	if err != nil {
		return err
	}
	if err := b.npmMain(dir); err != nil {
		return err
	}
	for _, p := range b.platforms {
		if err := b.npmPlatform(p, filepath.Join(dir, "platforms", p.nodeName())); err != nil {
			return err
		}
	}
	return nil
}

// npmMain compiles the TypeScript, and names the packages of the platforms.
func (b *build) npmMain(dir string) error {
	dependencies := []string{"pkg", "set"}
	for _, p := range b.platforms {
		dependencies = append(dependencies, fmt.Sprintf("optionalDependencies.@minilockd/%s=%s", p.nodeName(), b.version))
	}
	for _, args := range [][]string{
		{"ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"},
		{"run", "build"},
		dependencies, // after npm ci, which compares the dependencies with those of the lock file
		{"pkg", "delete", "devDependencies", "overrides", "scripts"},
	} {
		if err := b.run(dir, "npm", args...); err != nil {
			return err
		}
	}
	return b.npmPack(dir)
}

// npmPackage is the package.json of a platform.
type npmPackage struct {
	Name           string            `json:"name"`
	Version        string            `json:"version"`
	Description    string            `json:"description"`
	License        string            `json:"license"`
	Repository     map[string]string `json:"repository"`
	OS             []string          `json:"os"`
	CPU            []string          `json:"cpu"`
	Files          []string          `json:"files"`
	PreferUnplug   bool              `json:"preferUnplugged"` // Yarn keeps packages zipped without it
	PublishOptions map[string]string `json:"publishConfig"`
}

// npmPlatform makes the package of a platform: the binary and the licences.
func (b *build) npmPlatform(p platform, dir string) error {
	repository := map[string]string{"type": "git", "url": "git+https://" + module + ".git", "directory": "packaging/npm"}
	manifest, err := json.MarshalIndent(npmPackage{
		Name:           "@minilockd/" + p.nodeName(),
		Version:        b.version,
		Description:    "The binary of minilockd for " + p.nodeName(),
		License:        "MIT",
		Repository:     repository,
		OS:             []string{nodeName(p.os)},
		CPU:            []string{nodeName(p.arch)},
		Files:          []string{"bin", thirdParty},
		PreferUnplug:   true,
		PublishOptions: map[string]string{"access": "public"},
	}, "", "  ")
	if err != nil {
		return err
	}
	binary, err := os.ReadFile(b.binary(p))
	if err != nil {
		return err
	}
	readme := "The binary of minilockd, a Redis server for tests, for " + p.nodeName() +
		". Install the package `minilockd`, which depends on it.\n"
	if err := writeFile(filepath.Join(dir, "README.md"), []byte(readme), 0o644); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, "package.json"), manifest, 0o644); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, "bin", p.executable()), binary, 0o755); err != nil {
		return err
	}
	if err := b.licences(dir); err != nil {
		return err
	}
	return b.npmPack(dir)
}

// npmPack makes the tarball of a package.
func (b *build) npmPack(dir string) error {
	return b.run(dir, "npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", filepath.Join(b.out, "npm"))
}
