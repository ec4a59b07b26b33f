package config

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/words"
)

// The kinds of parameters that only a line of redis.conf sets.

// replicaOfValue takes a host and a port, or "no one", which CONFIG GET shows as the empty text.
func replicaOfValue(value string) (string, error) {
	host, port, found := strings.Cut(value, " ")
	if !found {
		return "", errWords
	}
	if strings.EqualFold(value, "no one") {
		return "", nil
	}
	if n, ok := num.ParseInt([]byte(port)); !ok || n < 0 || n > 65535 {
		return "", errMaster
	}
	return host + " " + port, nil
}

// octalValue takes an octal number up to high, such as the permissions of a socket.
func octalValue(high int64) kind {
	return func(value string) (string, error) {
		n, err := strconv.ParseInt(cmp.Or(value, "0"), 8, 64)
		switch {
		case err != nil:
			return "", errOctal
		case n < 0 || n > high:
			return "", fmt.Errorf("argument must be between 0 and %o inclusive", high)
		}
		return strconv.FormatInt(n, 8), nil
	}
}

// baseNameValue takes the name of a file or a directory without a path: Redis creates it in dir.
func baseNameValue(parameter, what string) kind {
	err := words.Errorf("%s can't be a path, just a %s", parameter, what)
	return func(value string) (string, error) {
		if strings.ContainsAny(value, "/\\") {
			return "", err
		}
		return value, nil
	}
}

// notEmpty takes what check takes, but not the empty text.
func notEmpty(parameter string, check kind) kind {
	return except("", check, words.Errorf("%s can't be empty", parameter))
}
