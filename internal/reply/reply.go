// Package reply reads replies of RESP2 and RESP3, for clients within this module.
package reply

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Kind is what a reply is: its first byte in RESP3. Kinds that differ only on the wire are one kind here.
type Kind byte

// The kinds of replies.
const (
	Nil     Kind = '_'
	Text    Kind = '$' // also of simple and verbatim strings and big numbers
	Status  Kind = '+'
	Integer Kind = ':'
	Double  Kind = ','
	Bool    Kind = '#'
	Error   Kind = '-'
	Array   Kind = '*' // also of sets
	Map     Kind = '%' // keys and values in turn
	Push    Kind = '>'
)

// Reply is one reply.
type Reply struct {
	Kind  Kind
	Text  string  // of what is no aggregate; a Bool is t or f
	Elems []Reply // of aggregates
}

// Read reads one reply. An error means that the connection is of no more use.
func Read(r *bufio.Reader) (Reply, error) {
	line, err := readLine(r)
	if err != nil {
		return Reply{}, err
	}
	kind, text := line[0], line[1:]
	switch kind {
	case '+', ':', ',', '#', '-', '_':
		return Reply{Kind: Kind(kind), Text: text}, nil
	case '(':
		return Reply{Kind: Text, Text: text}, nil
	case '$', '=', '!':
		return readBulk(r, kind, text)
	case '*', '~', '>', '%':
		return readElems(r, kind, text)
	}
	return Reply{}, fmt.Errorf("not a reply: %q", line)
}

// readLine returns a line, which is not empty, without its end.
func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", err
	}
	if line = strings.TrimSuffix(line, "\r\n"); line == "" {
		return "", fmt.Errorf("not a reply: an empty line")
	}
	return line, nil
}

// readBulk reads a string of a given length, -1 for nil in RESP2.
func readBulk(r *bufio.Reader, kind byte, size string) (Reply, error) {
	n, err := strconv.Atoi(size)
	if err != nil {
		return Reply{}, err
	}
	if n < 0 {
		return Reply{Kind: Nil}, nil
	}
	text := make([]byte, n+2)
	if _, err := io.ReadFull(r, text); err != nil {
		return Reply{}, err
	}
	text = text[:n]
	switch {
	case kind == '!':
		return Reply{Kind: Error, Text: string(text)}, nil
	case kind == '=' && n >= 4: // "txt:"
		text = text[4:]
	}
	return Reply{Kind: Text, Text: string(text)}, nil
}

// readElems reads a given number of elements, -1 for nil in RESP2.
func readElems(r *bufio.Reader, kind byte, count string) (Reply, error) {
	n, err := strconv.Atoi(count)
	if err != nil {
		return Reply{}, err
	}
	if n < 0 {
		return Reply{Kind: Nil}, nil
	}
	switch kind {
	case '%':
		n *= 2
	case '~':
		kind = '*'
	}
	elems := make([]Reply, 0, min(n, 1024))
	for range n {
		elem, err := Read(r)
		if err != nil {
			return Reply{}, err
		}
		elems = append(elems, elem)
	}
	return Reply{Kind: Kind(kind), Elems: elems}, nil
}

// Append appends a command to dst in RESP.
func Append[T []byte | string](dst []byte, args []T) []byte {
	dst = fmt.Appendf(dst, "*%d\r\n", len(args))
	for _, arg := range args {
		dst = fmt.Appendf(dst, "$%d\r\n", len(arg))
		dst = append(append(dst, arg...), '\r', '\n')
	}
	return dst
}

// String returns the reply as text: strings quoted, arrays in brackets, maps in braces.
func (r Reply) String() string {
	switch r.Kind {
	case Nil:
		return "(nil)"
	case Text:
		return strconv.Quote(r.Text)
	case Bool:
		return strconv.FormatBool(r.Text == "t")
	case Error:
		return "(error) " + r.Text
	case Array, Push:
		return "[" + strings.Join(texts(r.Elems), " ") + "]"
	case Map:
		var pairs []string
		for pair := range slices.Chunk(texts(r.Elems), 2) {
			pairs = append(pairs, strings.Join(pair, ": "))
		}
		return "{" + strings.Join(pairs, " ") + "}"
	}
	return r.Text
}

func texts(elems []Reply) []string {
	all := make([]string, len(elems))
	for i, elem := range elems {
		all[i] = elem.String()
	}
	return all
}
