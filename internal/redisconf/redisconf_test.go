package redisconf

import (
	"errors"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestParse(t *testing.T) {
	lines, err := Parse("# a comment\n\n  Port 7000 \r\nsave \"\"\n\tbind 127.0.0.1 '::1'\nrequirepass \"a \\x62\"")
	require.NoError(t, err)
	require.Equal(t, []Line{
		{3, "Port 7000", "port", []string{"7000"}},
		{4, `save ""`, "save", []string{""}},
		{5, "bind 127.0.0.1 '::1'", "bind", []string{"127.0.0.1", "::1"}},
		{6, `requirepass "a \x62"`, "requirepass", []string{"a b"}},
	}, lines)
}

func TestParse_UnbalancedQuotes(t *testing.T) {
	_, err := Parse("port 7000\nbind \"127.0.0.1\n")
	var bad *Error
	require.ErrorAs(t, err, &bad)
	require.Equal(t, 2, bad.Line.Number)
	require.Equal(t, `bind "127.0.0.1`, bad.Line.Text)
	require.EqualError(t, bad.Err, "Unbalanced quotes in configuration line")
}

func TestExpand(t *testing.T) {
	files := map[string]string{"b": "two 2\ninclude c\nfour 4", "c": "three 3", "loop": "include loop", "bad": `x "`}
	read := func(name string) (string, error) {
		if text, ok := files[name]; ok {
			return text, nil
		}
		return "", errors.New("no such file")
	}
	text, err := Expand("one 1\ninclude b\nfive 5", read)
	require.NoError(t, err)
	require.Equal(t, "one 1\ntwo 2\nthree 3\nfour 4\nfive 5", text)
	for text, message := range map[string]string{
		"include":      ErrDirective.Error(),
		"include a b":  ErrDirective.Error(),
		"include none": "no such file",
		"include loop": errIncludes.Error(),
		"include bad":  errQuotes.Error(),
	} {
		_, err := Expand(text, read)
		require.ErrorContains(t, err, message, text)
	}
}

var testFlags = []Flag{{Name: "addr"}, {Name: "version", Switch: true}}

// The rules are redis-server's: compat_test/commandline_test.go compares them.
func TestParseArgs(t *testing.T) {
	for _, c := range []struct {
		args []string
		want CommandLine
	}{
		{nil, CommandLine{}},
		{[]string{"a.conf"}, CommandLine{File: "a.conf"}},
		{[]string{"-"}, CommandLine{Stdin: true}},
		{[]string{"a.conf", "--port", "7", "-"}, CommandLine{File: "a.conf", Stdin: true, Options: `port "7"`}},
		{[]string{"--port", "7", "--bind", "a", "b"}, CommandLine{Options: "port \"7\"\nbind \"a\" \"b\""}},
		{[]string{"--save", "", "--appendonly", "no"}, CommandLine{Options: "save \"\"\nappendonly \"no\""}},
		{[]string{"--save", "--port", "7"}, CommandLine{Options: "save \"\"\nport \"7\""}},
		{[]string{"--save"}, CommandLine{Options: `save ""`}},
		{[]string{"--save 60 1", "--port 7"}, CommandLine{Options: "save 60 1\nport 7"}},
		{[]string{"--requirepass", "--x"}, CommandLine{Options: `requirepass "--x"`}},
		{[]string{"--requirepass", "-addr"}, CommandLine{Options: `requirepass "-addr"`}},
		{[]string{"--bind", "-", "a"}, CommandLine{Options: `bind "-" "a"`}},
		{[]string{"-x"}, CommandLine{Options: ` "-x"`}},
		{[]string{"--port=7", "--requirepass=a=b c"}, CommandLine{Options: "port \"7\"\nrequirepass \"a=b c\""}},
		{[]string{"--requirepass a=b"}, CommandLine{Options: "requirepass a=b"}},
		{[]string{"--addr", ":1", "--port", "7", "-version"}, CommandLine{Options: `port "7"`,
			Flags: map[string]string{"addr": ":1", "version": ""}}},
		{[]string{"-addr=:1"}, CommandLine{Flags: map[string]string{"addr": ":1"}}},
	} {
		got, err := ParseArgs(c.args, testFlags)
		require.NoError(t, err, "%q", c.args)
		if c.want.Flags == nil {
			c.want.Flags = map[string]string{}
		}
		require.Equal(t, c.want, got, "%q", c.args)
	}
	for _, args := range [][]string{{"--addr"}, {"--version=1"}} {
		_, err := ParseArgs(args, testFlags)
		require.Error(t, err, "%q", args)
	}
}
