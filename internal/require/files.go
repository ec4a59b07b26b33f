package require

import "os"

// FileExists requires a file that is no directory.
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

// DirExists requires a directory.
func DirExists(t TestingT, path string, message ...any) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		t.Helper()
		Fail(t, "no directory: "+path, message...)
	}
}
