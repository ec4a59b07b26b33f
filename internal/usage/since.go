package usage

import (
	"slices"
	"strings"
)

// For returns a usage as one server has it, and the tokens that only the parts have which it lacks. Braces behind a
// part say since when it is there, for has:
//
//	key member [WITHSCORE]{7.2}         right behind a bracket: what is between the brackets
//	[NX | XX | IFEQ value {8.4}]        else the whole alternative
func For(usage string, has func(since string) bool) (kept string, lacks []string) {
	if !strings.Contains(usage, "{") {
		return usage, nil
	}
	r := sinceReader{text: usage, has: has}
	kept = r.alternatives()
	words := usageWords(kept)
	for _, word := range usageWords(r.lacking.String()) {
		if isToken(word) && !strings.Contains("[]<>|", word) && !slices.Contains(words, word) {
			lacks = append(lacks, word)
		}
	}
	return kept, lacks
}

// sinceReader reads a usage from left to right.
type sinceReader struct {
	text    string // what is left
	has     func(since string) bool
	lacking strings.Builder // the parts that are left out
}

// alternatives reads up to the closing bracket, or to the end of the usage, and returns what the server has of it.
func (r *sinceReader) alternatives() string {
	var kept []string
	for more := true; more; {
		var one string
		if one, more = r.alternative(); one != "" {
			kept = append(kept, one)
		}
	}
	return strings.Join(kept, " | ")
}

// alternative reads up to the next | or the end, and reports whether there is another one behind it.
func (r *sinceReader) alternative() (kept string, more bool) {
	group := -1 // where the group right before begins
	for r.text != "" {
		c := r.text[0]
		r.text = r.text[1:]
		switch c {
		case ']', '>', '|':
			return strings.TrimSpace(kept), c == '|'
		case '[', '<':
			group = len(kept)
			kept += enclose(c, r.alternatives())
		case '{':
			since, rest, _ := strings.Cut(r.text, "}")
			r.text = rest
			if !r.has(since) {
				from := max(0, group)
				r.lacking.WriteString(" " + kept[from:])
				kept = kept[:from]
			}
		case ' ':
			group = -1
			if kept != "" && !strings.HasSuffix(kept, " ") {
				kept += " "
			}
		default:
			group = -1
			kept += string(c)
		}
	}
	return strings.TrimSpace(kept), false
}

// enclose puts brackets of one kind around what is left of a group. One alternative needs none if it can't be left out.
func enclose(bracket byte, content string) string {
	switch {
	case content == "":
		return ""
	case bracket == '[':
		return "[" + content + "]"
	case strings.Contains(content, " | "):
		return "<" + content + ">"
	}
	return content
}
