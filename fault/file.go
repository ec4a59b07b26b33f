package fault

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/minilockd/minilockd/internal/words"
)

// Line is a rule of a file, and the number of its line; the first is 1.
type Line struct {
	Number int
	Rule   Rule
}

// ParseFile reads a file of rules: one on each line, as the arguments of FAULT.ADD are typed in redis-cli. Empty lines,
// and those that begin with #, are skipped. The error names the number of the line.
func ParseFile(file io.Reader) (lines []Line, err error) {
	scanner := bufio.NewScanner(file)
	for n := 1; scanner.Scan(); n++ {
		text := strings.TrimSpace(scanner.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		rule, err := parseLine(text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		lines = append(lines, Line{n, rule})
	}
	return lines, scanner.Err()
}

func parseLine(text string) (Rule, error) {
	args, ok := words.SplitString(text)
	if !ok {
		return Rule{}, words.Errorf("ERR unbalanced quotes in '%s'", text)
	}
	return Parse(args)
}
