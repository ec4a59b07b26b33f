package redisconf

import (
	"errors"
	"strings"
)

// maxIncludes limits the nesting of includes.
const maxIncludes = 16

var errIncludes = errors.New("Too many nested includes: does the file include itself?")

// Expand replaces lines of "include" with the text of the files: their lines take effect at the place of the include,
// as in Redis. read returns the text of a file; its errors are returned as they are. Other errors are an *Error with
// the line in the file that has it.
func Expand(text string, read func(name string) (string, error)) (string, error) {
	return expand(text, read, maxIncludes)
}

func expand(text string, read func(string) (string, error), left int) (string, error) {
	lines, err := Parse(text)
	if err != nil {
		return "", err
	}
	raw := strings.SplitAfter(text, "\n")
	for _, line := range lines {
		if line.Name != "include" {
			continue
		}
		if raw[line.Number-1], err = line.included(read, left); err != nil {
			return "", err
		}
	}
	return strings.Join(raw, ""), nil
}

// included returns the text of the file in an "include" line.
func (l Line) included(read func(string) (string, error), left int) (string, error) {
	switch {
	case len(l.Args) != 1:
		return "", l.Wrap(ErrDirective)
	case left == 0:
		return "", l.Wrap(errIncludes)
	}
	text, err := read(l.Args[0])
	if err != nil {
		return "", err
	}
	text, err = expand(text, read, left-1)
	return text + "\n", err
}
