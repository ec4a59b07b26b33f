package data

import (
	"errors"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// LCS (command page) fills a table of (m+1)(n+1) lengths by dynamic programming and walks it back from the end. The
// order of the matches and the choice among equally long results are visible to clients; both follow from the
// direction that the walk prefers, which is that of Redis.

var lcsCommands = []command.Command{
	{Name: "lcs", Usage: "key1 key2 [LEN] [IDX] [MINMATCHLEN len] [WITHMATCHLEN]", Arity: -3, Flags: command.ReadOnly,
		Keys: command.TwoKeys, Since: "7.0.0", Specs: []command.KeySpec{{Index: 1, Last: 1, Access: "RO access"}},
		Summary: "Finds the longest common subsequence of two strings.", Run: lcs},
}

// errLCSBoth is for LEN with IDX. errLCSMemory limits the product of both lengths, so two strings of 12 KB are too
// long.
var (
	errLCSType   = errors.New("ERR The specified keys must contain string values")
	errLCSBoth   = errors.New("ERR If you want both the length and indexes, please just use IDX.")
	errLCSMemory = errors.New("ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len")
)

// lcsOptions are the options of LCS.
type lcsOptions struct {
	length      bool  // LEN: reply only the length
	idx         bool  // IDX: reply the matching ranges
	minMatch    int64 // MINMATCHLEN
	withLengths bool  // WITHMATCHLEN
}

// parseLCS parses the options. LEN and IDX exclude each other, which is checked last.
func parseLCS(c *command.Call) (o lcsOptions, err error) {
	for i := 3; i < c.Len(); i++ {
		switch {
		case c.Is(i, "len"):
			o.length = true
		case c.Is(i, "idx"):
			o.idx = true
		case c.Is(i, "withmatchlen"):
			o.withLengths = true
		case c.Is(i, "minmatchlen") && i+1 < c.Len():
			i++
			if o.minMatch, err = c.Int(i); err != nil {
				return o, err
			}
		default:
			return o, command.ErrSyntax
		}
	}
	if o.length && o.idx {
		return o, errLCSBoth
	}
	return o, nil
}

// lcs implements LCS key1 key2 [LEN] [IDX] [MINMATCHLEN len] [WITHMATCHLEN]. A missing key is the empty string. It
// replies that both keys must be strings before it parses the options, with an error of its own rather than WRONGTYPE.
func lcs(c *command.Call) resp.Value {
	a, err := readString(c, c.Key(1))
	b, err2 := readString(c, c.Key(2))
	if err != nil || err2 != nil {
		return c.Fail(errLCSType)
	}
	o, err := parseLCS(c)
	if err != nil {
		return c.Fail(err)
	}
	t, err := newLCSTable(stringBytes(a), stringBytes(b))
	switch {
	case err != nil:
		return c.Fail(err)
	case o.length:
		return resp.Int(int64(t.length()))
	case o.idx:
		return t.indexReply(&o)
	}
	return resp.Bulk(t.common())
}

// lcsTable holds the length of the longest common subsequence of each pair of prefixes of a and b. The row and the
// column of the empty prefix are 0. Lengths of 32 bits suffice, since a table with longer ones would be too large.
type lcsTable struct {
	a, b    []byte
	lengths []uint32 // rows of len(b)+1
}

// newLCSTable fills the table row by row. It rejects one that is larger than a string may be, as Redis does: 4 bytes
// for each pair of prefixes.
func newLCSTable(a, b []byte) (*lcsTable, error) {
	size := (len(a) + 1) * (len(b) + 1)
	if size > store.MaxStringSize/4 {
		return nil, errLCSMemory
	}
	t := &lcsTable{a, b, make([]uint32, size)}
	width := len(b) + 1
	for i := range a {
		above, row := t.lengths[i*width:(i+1)*width], t.lengths[(i+1)*width:]
		for j := range b {
			if a[i] == b[j] {
				row[j+1] = above[j] + 1
			} else {
				row[j+1] = max(above[j+1], row[j])
			}
		}
	}
	return t, nil
}

// at returns the length for the first i bytes of a and the first j bytes of b.
func (t *lcsTable) at(i, j int) uint32 { return t.lengths[i*(len(t.b)+1)+j] }

// length returns the length of the longest common subsequence of a and b themselves.
func (t *lcsTable) length() uint32 { return t.at(len(t.a), len(t.b)) }

// lcsMatch is a run of n equal bytes that begins at a[i] and b[j].
type lcsMatch struct{ i, j, n int }

// matches calls f for each run of the subsequence, from the last to the first: the order of the reply.
func (t *lcsTable) matches(f func(lcsMatch)) {
	run := lcsMatch{len(t.a), len(t.b), 0}
	for run.i > 0 && run.j > 0 {
		if t.a[run.i-1] == t.b[run.j-1] {
			run.i, run.j, run.n = run.i-1, run.j-1, run.n+1
			continue
		}
		if run.n > 0 {
			f(run)
			run.n = 0
		}
		// On a tie Redis drops a byte of b.
		if t.at(run.i-1, run.j) > t.at(run.i, run.j-1) {
			run.i--
		} else {
			run.j--
		}
	}
	if run.n > 0 {
		f(run)
	}
}

// common returns the subsequence itself.
func (t *lcsTable) common() []byte {
	parts := make([]byte, 0, t.length())
	t.matches(func(m lcsMatch) {
		for k := m.i + m.n - 1; k >= m.i; k-- {
			parts = append(parts, t.a[k])
		}
	})
	slices.Reverse(parts)
	return parts
}

// indexReply replies the matches of at least MINMATCHLEN bytes, and the length of the whole subsequence.
func (t *lcsTable) indexReply(o *lcsOptions) resp.Value {
	var found []resp.Value
	t.matches(func(m lcsMatch) {
		if int64(m.n) < o.minMatch {
			return
		}
		match := []resp.Value{intRange(m.i, m.n), intRange(m.j, m.n)}
		if o.withLengths {
			match = append(match, resp.Int(int64(m.n)))
		}
		found = append(found, resp.Array(match...))
	})
	return resp.Map(resp.BulkString("matches"), resp.Array(found...),
		resp.BulkString("len"), resp.Int(int64(t.length())))
}

// intRange replies the first and the last of n positions.
func intRange(first, n int) resp.Value {
	return resp.Array(resp.Int(int64(first)), resp.Int(int64(first+n-1)))
}
