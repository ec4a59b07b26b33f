package command

import "slices"

// hidden stands in the logs where a client sent a secret.
var hidden = []byte("(redacted)")

// secrets says which words of a command are secret. It is data that one function reads, so that no command has code of
// its own that looks at a neighbouring word.
type secrets struct {
	from    int      // the first word that may be secret, or the first option
	options []option // what stands there; none if all words from there on are secret
}

// option is a word of a command and what follows it.
type option struct {
	word   string
	values int // how many words belong to it
	secret bool
}

// The secrets of the commands that have some.
var (
	allSecret     = &secrets{from: 1} // AUTH
	allButSub     = &secrets{from: 2} // ACL SETUSER
	helloSecrets  = &secrets{from: 2, options: []option{{"auth", 2, true}, {"setname", 1, false}}}
	configSecrets = &secrets{from: 2, options: []option{
		{"requirepass", 1, true}, {"masterauth", 1, true}, {"masteruser", 1, true}, {"tls-key-file-pass", 1, true},
		{"tls-client-key-file-pass", 1, true}, {anyWord, 1, false},
	}}
)

// anyWord is the option that every word fits.
const anyWord = ""

// redacted is the words of the call as the slow log and MONITOR show them: without passwords.
func (c *Call) redacted() [][]byte {
	if c.Cmd.secret == nil {
		return c.Args
	}
	words := slices.Clone(c.Args)
	c.Cmd.secret.hide(words)
	return words
}

// hide puts hidden in the place of the secret words. An option whose values are not all there hides none, as in Redis.
func (s *secrets) hide(words [][]byte) {
	if s.options == nil {
		for i := s.from; i < len(words); i++ {
			words[i] = hidden
		}
		return
	}
	for i := s.from; i < len(words); i++ {
		o := s.option(words[i])
		if o.values >= len(words)-i {
			return
		}
		for range o.values {
			i++
			if o.secret {
				words[i] = hidden
			}
		}
	}
}

// option is the row of a word; a word without one has no values.
func (s *secrets) option(word []byte) option {
	for _, o := range s.options {
		if o.word == anyWord || equalFold(word, o.word) {
			return o
		}
	}
	return option{}
}
