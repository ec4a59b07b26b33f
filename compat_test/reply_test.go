package compat

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// reply is a RESP value. raw, of the outermost value only, is its bytes.
type reply struct {
	kind  byte   // the type byte: + - : $ * and RESP3's _ , # ( ! = % ~ > |
	text  string // of a value that is not an aggregate
	null  bool   // $-1, *-1 or _
	elems []reply
	raw   []byte
}

// replyReader reads one value and keeps its bytes. After an error it reads nothing.
type replyReader struct {
	in  *bufio.Reader
	raw []byte
	err error
}

func (r *replyReader) value() reply {
	line := r.line()
	if r.err != nil {
		return reply{}
	}
	v := reply{kind: line[0], text: line[1:]}
	switch v.kind {
	case '+', '-', ':', ',', '#', '(':
	case '_':
		v.null = true
	case '$', '!', '=':
		v.text, v.null = r.bulk(line[1:])
	case '*', '~', '>':
		r.elements(&v, 1)
	case '%', '|':
		r.elements(&v, 2)
	default:
		r.err = fmt.Errorf("not RESP: %q", line)
	}
	return v
}

// line reads up to CRLF. An empty line is an error.
func (r *replyReader) line() string {
	if r.err != nil {
		return ""
	}
	b, err := r.in.ReadBytes('\n')
	r.raw = append(r.raw, b...)
	switch {
	case err != nil:
		r.err = err
	case len(b) < 3 || b[len(b)-2] != '\r':
		r.err = fmt.Errorf("not a RESP line: %q", b)
	default:
		return string(b[:len(b)-2])
	}
	return ""
}

func (r *replyReader) bulk(length string) (text string, null bool) {
	n := r.length(length)
	if n < 0 {
		return "", true
	}
	b := make([]byte, n+2)
	if _, err := io.ReadFull(r.in, b); err != nil && r.err == nil {
		r.err = err
	}
	r.raw = append(r.raw, b...)
	return string(b[:n]), false
}

func (r *replyReader) elements(v *reply, each int) {
	n := r.length(v.text)
	v.text, v.null = "", n < 0
	for i := 0; i < n*each && r.err == nil; i++ {
		v.elems = append(v.elems, r.value())
	}
}

func (r *replyReader) length(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("not a RESP length: %q", text)
	}
	return n
}

// brackets enclose formatted aggregates.
var brackets = map[byte][2]string{
	'*': {"[", "]"}, '~': {"~[", "]"}, '>': {">[", "]"}, '%': {"%{", "}"}, '|': {"|{", "}"},
}

// String formats a reply on one line. Different replies have different lines.
func (v reply) String() string {
	switch {
	case v.kind == '_':
		return "(null)"
	case v.null && v.kind == '*':
		return "(nil array)"
	case v.null:
		return "(nil)"
	case v.kind == '$':
		return strconv.Quote(v.text)
	case v.kind == '=' || v.kind == '!':
		return string(v.kind) + strconv.Quote(v.text)
	}
	b, aggregate := brackets[v.kind]
	switch {
	case aggregate:
		return b[0] + strings.Join(v.parts(), ", ") + b[1]
	case strings.ContainsFunc(v.text, unprintable):
		return string(v.kind) + strconv.Quote(v.text)
	}
	return string(v.kind) + v.text
}

func unprintable(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }

// parts returns the formatted elements; of a map, "key: value".
func (v reply) parts() []string {
	if v.kind == '%' || v.kind == '|' {
		return v.pairs(": ")
	}
	parts := make([]string, len(v.elems))
	for i, e := range v.elems {
		parts[i] = e.String()
	}
	return parts
}

// pairs formats the elements in pairs.
func (v reply) pairs(between string) []string {
	parts := make([]string, 0, len(v.elems)/2)
	for i := 0; i+1 < len(v.elems); i += 2 {
		parts = append(parts, v.elems[i].String()+between+v.elems[i+1].String())
	}
	return parts
}

// ordering is the order in a reply that Redis does not define.
type ordering int

const (
	ordered       ordering = iota
	asSet                  // elements in any order
	asPairs                // field, value, field, value: pairs in any order
	asCursorSet            // SCAN and SSCAN: a cursor, then a set
	asCursorPairs          // HSCAN and ZSCAN: a cursor, then pairs
	asShape                // random: only type and number of elements
)

// unorderedReplies are commands whose replies have no defined order.
var unorderedReplies = map[string]ordering{
	"KEYS": asSet, "SMEMBERS": asSet, "SUNION": asSet, "SINTER": asSet, "SDIFF": asSet,
	"HKEYS": asSet, "HVALS": asSet, "PUBSUB CHANNELS": asSet,
	"HGETALL": asPairs, "CONFIG GET": asPairs,
	"SCAN": asCursorSet, "SSCAN": asCursorSet, "HSCAN": asCursorPairs, "ZSCAN": asCursorPairs,
	"SPOP": asSet, "RANDOMKEY": asShape, "SRANDMEMBER": asShape, "HRANDFIELD": asShape, "ZRANDMEMBER": asShape,
}

// orderingOf returns the ordering of a command's reply.
func orderingOf(args []string) ordering {
	if without := strings.ToUpper(args[len(args)-1]); without == "NOVALUES" || without == "NOSCORES" {
		return asCursorSet
	}
	for n := min(2, len(args)); n > 0; n-- {
		if o, ok := unorderedReplies[strings.ToUpper(strings.Join(args[:n], " "))]; ok {
			return o
		}
	}
	return ordered
}

// inOrder formats a reply so that replies which differ only in an undefined order are equal.
func (v reply) inOrder(o ordering) string {
	cursor := (o == asCursorSet || o == asCursorPairs) && len(v.elems) == 2
	switch {
	case o == asShape:
		return v.shape()
	case cursor && o == asCursorSet:
		return v.elems[0].String() + " " + v.elems[1].inOrder(asSet)
	case cursor:
		return v.elems[0].String() + " " + v.elems[1].inOrder(asPairs)
	case len(v.elems) == 0 || o == ordered:
		return v.String()
	case o == asPairs && v.kind == '*' && len(v.elems)%2 == 0:
		return bracketed(v.kind, v.pairs(", "))
	}
	return bracketed(v.kind, v.parts())
}

func bracketed(kind byte, parts []string) string {
	slices.Sort(parts)
	return brackets[kind][0] + strings.Join(parts, ", ") + brackets[kind][1]
}

// shape formats types and numbers of elements. Nulls and errors are formatted as they are.
func (v reply) shape() string {
	b, aggregate := brackets[v.kind]
	switch {
	case v.null || v.kind == '-' || aggregate && len(v.elems) == 0:
		return v.String()
	case aggregate:
		return fmt.Sprintf("%s%d of %s%s", b[0], len(v.elems), v.elems[0].shape(), b[1])
	}
	return string(v.kind) + "..."
}
