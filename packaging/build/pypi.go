package main

import "path/filepath"

// hatchling is the build backend of the wheels, with its version: another one may write them in another way.
const hatchling = "hatchling==1.33.0"

// wheelTags are the platform tags of wheels. The binary for Linux is static, so one wheel is for glibc and musl alike.
// macOS 12 is the oldest that Go 1.26 supports.
var wheelTags = map[platform]string{
	{"linux", "amd64"}:   "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	{"linux", "arm64"}:   "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	{"darwin", "amd64"}:  "macosx_12_0_x86_64",
	{"darwin", "arm64"}:  "macosx_12_0_arm64",
	{"windows", "amd64"}: "win_amd64",
}

// pypi makes a wheel for each platform, by hatchling in a virtual environment. packaging/pypi/hatch_build.py puts the
// binary into it.
func pypi(b *build) error {
	dir, err := b.stage("pypi")
	if err != nil {
		return err
	}
	venv := filepath.Join(b.work, "venv")
	if err := b.run(dir, "python3", "-m", "venv", venv); err != nil {
		return err
	}
	python := filepath.Join(venv, "bin", "python")
	if err := b.run(dir, python, "-m", "pip", "install", "--quiet", hatchling); err != nil {
		return err
	}
	for _, p := range b.platforms {
		if err := b.wheel(dir, python, p); err != nil {
			return err
		}
	}
	return nil
}

// wheel makes the wheel of one platform.
func (b *build) wheel(dir, python string, p platform) error {
	env := []string{"MINILOCKD_WHEEL_BINARY=" + b.binary(p), "MINILOCKD_WHEEL_PLATFORM=" + wheelTags[p]}
	return b.runWith(env, dir, python, "-m", "hatchling", "build", "-t", "wheel", "-d", filepath.Join(b.out, "pypi"))
}
