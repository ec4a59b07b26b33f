package resp

import (
	"math"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestAppend(t *testing.T) {
	for name, c := range map[string]struct {
		v            Value
		resp2, resp3 string
	}{
		"none":       {None, "", ""},
		"null":       {Null, "$-1\r\n", "_\r\n"},
		"null array": {NullArray, "*-1\r\n", "_\r\n"},
		"status":     {Status("a\r\nb"), "+a  b\r\n", "+a  b\r\n"},
		"error":      {Error("ERR x\ny"), "-ERR x y\r\n", "-ERR x y\r\n"},
		"integer":    {Int(-5), ":-5\r\n", ":-5\r\n"},
		"bulk":       {Bulk([]byte("a\x00b")), "$3\r\na\x00b\r\n", "$3\r\na\x00b\r\n"},
		"empty bulk": {Bulk(nil), "$0\r\n\r\n", "$0\r\n\r\n"},
		"double":     {Double(0.1, Digits17), "$19\r\n0.10000000000000001\r\n", ",0.10000000000000001\r\n"},
		"short":      {Double(0.1, Shortest), "$3\r\n0.1\r\n", ",0.1\r\n"},
		"bool":       {Bool(true), ":1\r\n", "#t\r\n"},
		"big number": {BigNumber("123"), "$3\r\n123\r\n", "(123\r\n"},
		"decimal":    {Decimal("1.50"), "$4\r\n1.50\r\n", ",1.50\r\n"},
		"verbatim":   {Verbatim("txt", "hi"), "$2\r\nhi\r\n", "=6\r\ntxt:hi\r\n"},
		"array":      {Array(One, Array()), "*2\r\n:1\r\n*0\r\n", "*2\r\n:1\r\n*0\r\n"},
		"set":        {Set(One), "*1\r\n:1\r\n", "~1\r\n:1\r\n"},
		"map":        {Map(One, Zero), "*2\r\n:1\r\n:0\r\n", "%1\r\n:1\r\n:0\r\n"},
		"pairs": {Pairs(BulkString("a"), Double(1, Shortest)), "*2\r\n$1\r\na\r\n$1\r\n1\r\n",
			"*1\r\n*2\r\n$1\r\na\r\n,1\r\n"},
		"pair map": {PairMap(BulkString("a"), Int(1)), "*1\r\n*2\r\n$1\r\na\r\n:1\r\n", "%1\r\n$1\r\na\r\n:1\r\n"},
		"push":     {Push(One), "*1\r\n:1\r\n", ">1\r\n:1\r\n"},
		"series":   {Series(One, Zero), ":1\r\n:0\r\n", ":1\r\n:0\r\n"},
	} {
		require.Equal(t, c.resp2, string(Append(nil, c.v, RESP2)), name)
		require.Equal(t, c.resp3, string(Append(nil, c.v, RESP3)), name)
	}
}

func TestAppendDouble(t *testing.T) {
	for want, f := range map[string]float64{
		"0": 0, "-0": math.Copysign(0, -1), "3": 3, "-3.5": -3.5, "inf": math.Inf(1), "-inf": math.Inf(-1), "1e+17": 1e17,
		"10000000000000000": 1e16, "1000000000000000": 1e15, "0.10000000000000001": 0.1, "1.0000000000000001e-05": 1e-5,
		"1795812954143": 1795812954143, "922337203685477": 922337203685477,
	} {
		require.Equal(t, want, string(AppendDouble(nil, f, Digits17)))
	}
}

func TestOwn_CopiesText(t *testing.T) {
	b := []byte("abc")
	v := Own(Array(Bulk(b)))
	b[0] = 'x'
	require.Equal(t, "abc", v.Elems()[0].Text())
}
