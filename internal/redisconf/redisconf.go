// Package redisconf reads what redis-server is configured by: redis.conf, whose lines are a name and its arguments, and
// a command line, whose options stand for such lines. It knows the grammar, and no name but "include".
package redisconf

import (
	"errors"
	"fmt"
	"strings"

	"github.com/minilockd/minilockd/internal/words"
)

// Line is one setting.
type Line struct {
	Number int    // of the line in the text, from 1
	Text   string // as written, without the blanks around it
	Name   string // in small letters
	Args   []string
}

// Error is a line that can't be had.
type Error struct {
	Line Line
	Err  error
}

func (e *Error) Error() string {
	return fmt.Sprintf("configuration line %d, '%s': %v", e.Line.Number, e.Line.Text, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// ErrDirective is what Redis says of a line whose name it does not know, or that has too few or too many arguments.
var ErrDirective = errors.New("Bad directive or wrong number of arguments")

var errQuotes = errors.New("Unbalanced quotes in configuration line")

// Wrap makes an error about a line of err, nil of nil.
func (l Line) Wrap(err error) error {
	if err == nil {
		return nil
	}
	return &Error{l, err}
}

// Parse reads the lines of a text. Empty lines and those that begin with # are left out. The error is an *Error.
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
