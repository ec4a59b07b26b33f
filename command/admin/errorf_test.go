package admin_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// Redis formats its errors by functions of C: an argument that an error quotes ends at its first NUL.
func TestErrors_WordsEndAtNUL(t *testing.T) {
	env, _ := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	const word = "a\x00b\r\nc"
	for _, test := range []struct {
		words []string
		want  string
	}{
		{[]string{word, word}, "ERR unknown command 'a', with args beginning with: 'a' "},
		{[]string{"CONFIG", word}, "ERR unknown subcommand 'a'. Try CONFIG HELP."},
		{[]string{"CONFIG", "SET", word, "1"}, "ERR Unknown option or number of arguments for CONFIG SET - 'a'"},
		{[]string{"XPENDING", word, word}, "NOGROUP No such key 'a' or consumer group 'a'"},
		{[]string{"FUNCTION", "LIST", word}, "ERR Unknown argument a"},
		{[]string{"ACL", "CAT", word}, "ERR Unknown category 'a'"},
		{[]string{"HELLO", "3", word}, "ERR Syntax error in HELLO option 'a'"},
	} {
		require.Equal(t, test.want, say(c, test.words...), "%q", test.words)
	}
}
