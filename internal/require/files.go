package require

import "os"

// FileExists requires something that is no directory. Symbolic links are followed, so one that points nowhere is no
// file.
func FileExists(t TestingT, path string, message ...any) {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		t.Helper()
		Fail(t, "no file: "+path, message...)
	}
}

// NoFileExists requires that there is no file of that name.
func NoFileExists(t TestingT, path string, message ...any) {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		t.Helper()
		Fail(t, "a file: "+path, message...)
	}
}

// DirExists requires a directory, or a symbolic link to one.
func DirExists(t TestingT, path string, message ...any) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		t.Helper()
		Fail(t, "no directory: "+path, message...)
	}
}
