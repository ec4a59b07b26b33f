package config

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/num"
)

// ignoredParameters belong to things that this server does not have: files, replicas, a query buffer for each client.
// Their values are checked and kept, so that programs which set and read them work, but have no effect.
var ignoredParameters = slices.Concat(ignoredProcess, ignoredPersistence, ignoredReplication, ignoredCluster,
	ignoredTLS, ignoredHidden)

// absolutePath returns a directory as CONFIG GET shows it; "" is the working directory of the process.
func absolutePath(dir string) string {
	path, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	return path
}

// saveValue takes pairs of seconds and changes, or the empty text, which turns saving off. An empty word between two
// spaces is 0, as in Redis.
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
