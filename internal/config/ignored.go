package config

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/num"
)

// ignoredParameters are of things that this server does not have: files, replicas, a buffer for each client. They are
// remembered, so that programs which set them can go on, and change nothing.
var ignoredParameters = slices.Concat(ignoredProcess, ignoredPersistence, ignoredReplication, ignoredCluster, ignoredTLS)

// absolutePath is how a directory is shown: by default the one that the process works in.
func absolutePath(dir string) string {
	path, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	return path
}

// saveValue takes pairs of seconds and changes, or nothing. Nothing between two spaces is 0, as in Redis.
func saveValue(value string) (string, error) {
	words := wordsOf(value)
	if len(words) == 1 && words[0] == "" {
		return "", nil
	}
	if len(words)%2 != 0 {
		return "", errSave
	}
	for i, word := range words {
		words[i] = cmp.Or(word, "0")
		n, ok := num.ParseInt([]byte(words[i]))
		if !ok || n < int64(1-i%2) {
			return "", errSave
		}
	}
	return strings.Join(words, " "), nil
}
