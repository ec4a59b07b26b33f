package fault

import (
	"errors"
	"strings"

	"github.com/minilockd/minilockd/internal/words"
)

var errQuotes = errors.New("ERR unbalanced quotes in the rule")

// ParseLine returns the rule of a line, which is as typed in redis-cli after FAULT.ADD. Its errors are those of
// FAULT.ADD.
func ParseLine(line string) (Rule, error) {
	args, ok := words.SplitString(line)
	if !ok {
		return Rule{}, errQuotes
	}
	return Parse(args)
}

// String is the rule as ParseLine takes it.
func (r *Rule) String() string {
	args := r.Words()
	for i, arg := range args {
		if arg == "" || strings.ContainsFunc(arg, needsQuotes) {
			args[i] = words.Quote([]byte(arg))
		}
	}
	return strings.Join(args, " ")
}

func needsQuotes(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"'\\", r) }
