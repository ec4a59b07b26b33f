package redisconf

import (
	"errors"
	"slices"
)

// maxIncludes bounds how deep files may name one another.
const maxIncludes = 16

var errIncludes = errors.New("Too many nested includes: does the file include itself?")

// Include puts the lines of other files where "include" names them. read gives the text of a file. A line keeps the number that
// it has in its own file.
func Include(lines []Line, read func(name string) (string, error)) ([]Line, error) {
	return include(lines, read, maxIncludes)
}

func include(lines []Line, read func(string) (string, error), left int) ([]Line, error) {
	var all []Line
	for _, line := range lines {
		if line.Name != "include" {
			all = append(all, line)
			continue
		}
		more, err := line.included(read, left)
		if err != nil {
			return nil, err
		}
		all = slices.Concat(all, more)
	}
	return all, nil
}

// included is the lines of the file that an "include" line names.
func (l Line) included(read func(string) (string, error), left int) ([]Line, error) {
	switch {
	case len(l.Args) != 1:
		return nil, l.Wrap(ErrDirective)
	case left == 0:
		return nil, l.Wrap(errIncludes)
	}
	text, err := read(l.Args[0])
	if err != nil {
		return nil, l.Wrap(err)
	}
	lines, err := Parse(text)
	if err != nil {
		return nil, err
	}
	return include(lines, read, left-1)
}
