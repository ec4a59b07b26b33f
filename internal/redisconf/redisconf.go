// Package redisconf parses redis.conf, whose lines are a name and arguments, and redis-server's command line, whose
// options are such lines. It knows the grammar, and no parameter but "include".
package redisconf

import (
	"errors"
	"fmt"
	"strings"

	"github.com/minilockd/minilockd/internal/words"
)

// Line is one setting.
type Line struct {
	Number int    // line number, from 1
	Text   string // as written, without surrounding blanks
	Name   string // in lower case
	Args   []string
}

// Error is an error in a line. Its text begins with the number and the text of the line, which redis-server also prints
// when it does not start.
type Error struct {
	Line Line
	Err  error
}

func (e *Error) Error() string {
	return fmt.Sprintf("configuration line %d, '%s': %v", e.Line.Number, e.Line.Text, e.Err)
}

// Unwrap returns the error without the line, such as ErrDirective.
func (e *Error) Unwrap() error { return e.Err }

// ErrDirective is Redis' error for a line with an unknown name or a wrong number of arguments.
var ErrDirective = errors.New("Bad directive or wrong number of arguments")

// errQuotes is Redis' error for a line with a quote that is not closed, or that is followed by more text.
var errQuotes = errors.New("Unbalanced quotes in configuration line")

// Wrap makes an error about a line of err, nil of nil.
func (l Line) Wrap(err error) error {
	if err == nil {
		return nil
	}
	return &Error{l, err}
}

// Parse reads the lines of a text. Empty lines and those that begin with # are left out; a # later in a line is a part
// of it. Whether there is a parameter of that name is not checked here. The error is an *Error.
func Parse(text string) ([]Line, error) {
	var lines []Line
	number := 0
	for raw := range strings.Lines(text) {
		number++
		line := Line{Number: number, Text: strings.Trim(raw, " \t\r\n")}
		if line.Text == "" || line.Text[0] == '#' {
			continue
		}
		parts, ok := words.SplitString(line.Text)
		if !ok {
			return nil, line.Wrap(errQuotes)
		}
		if len(parts) == 0 {
			continue
		}
		line.Name, line.Args = strings.ToLower(parts[0]), parts[1:]
		lines = append(lines, line)
	}
	return lines, nil
}
