package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestLCS(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"MSET a ohmytext b mynewtext", "OK",
			"LCS a b", `"mytext"`,
			"LCS a b LEN", "6",
			"LCS a b IDX", `["matches" [[[4 7] [5 8]] [[2 3] [0 1]]] "len" 6]`,
			"LCS a b IDX WITHMATCHLEN", `["matches" [[[4 7] [5 8] 4] [[2 3] [0 1] 2]] "len" 6]`,
			"LCS a b IDX MINMATCHLEN 4 WITHMATCHLEN", `["matches" [[[4 7] [5 8] 4]] "len" 6]`,
			"LCS a b IDX MINMATCHLEN 5", `["matches" [] "len" 6]`,
			"LCS a b IDX MINMATCHLEN -5", `["matches" [[[4 7] [5 8]] [[2 3] [0 1]]] "len" 6]`,
			"LCS b a IDX", `["matches" [[[5 8] [4 7]] [[0 1] [2 3]]] "len" 6]`,
			"LCS a a IDX", `["matches" [[[0 7] [0 7]]] "len" 8]`,
			"LCS a missing", `""`,
			"LCS a missing LEN", "0",
			"LCS missing missing IDX", `["matches" [] "len" 0]`,
			"MSET a xaxbxcx b yaybycy", "OK",
			"LCS a b", `"abc"`,
			"LCS a b IDX", `["matches" [[[5 5] [5 5]] [[3 3] [3 3]] [[1 1] [1 1]]] "len" 3]`,
		)
	})
}

func TestLCS_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET a ohmytext", "OK",
			"LCS a missing LEN IDX", "ERR If you want both the length and indexes, please just use IDX.",
			"LCS a missing FOO", "ERR syntax error",
			"LCS a missing MINMATCHLEN", "ERR syntax error",
			"LCS a missing MINMATCHLEN x", "ERR value is not an integer or out of range",
			"LCS a missing MINMATCHLEN x LEN IDX", "ERR value is not an integer or out of range",
			"HSET h f v", "1",
			"LCS a h", "ERR The specified keys must contain string values",
			"LCS h a FOO", "ERR The specified keys must contain string values",
		)
	})
}

func TestLCS_TooLarge(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("SETRANGE a 15000 x", "15001", "SETRANGE b 15000 x", "15001",
			"LCS a b", "ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len")
	})
}
