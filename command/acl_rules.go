package command

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
)

// What ACL SETUSER says of a rule that it does not take.
var (
	errRuleSyntax   = errors.New("Syntax error")
	errRuleUnknown  = errors.New("Unknown command or category name in ACL")
	errRuleKeys     = errors.New("Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does not have any effect. Try 'resetkeys' to start with an empty list of patterns")
	errRuleChannels = errors.New("Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid and does not have any effect. Try 'resetchannels' to start with an empty list of channels")
	errRuleHash     = errors.New("The password hash must be exactly 64 characters and contain only lowercase hexadecimal characters")
	errRulePassword = errors.New("The password you are trying to remove from the user does not exist")
	errRuleFirstArg = errors.New("Allowing first-arg of a subcommand is not supported")
)

// apply carries out one rule of ACL SETUSER. (Redis documentation: ACL rules.)
func (u *aclRules) apply(rule string) error {
	switch strings.ToLower(rule) {
	case "": // is no rule
	case "on", "off":
		u.enabled = strings.EqualFold(rule, "on")
	case "nopass":
		u.noPass, u.passwords = true, nil
	case "resetpass":
		u.noPass, u.passwords = false, nil
	case "sanitize-payload", "skip-sanitize-payload":
		u.payload = strings.ToLower(rule)
	case "clearselectors":
		u.selectors = u.selectors[:1]
	case "reset":
		*u = *u.from.newRules()
		u.payload = "sanitize-payload"
	default:
		return u.applyMarked(rule)
	}
	return nil
}

// applyAll carries out rules up to the first that is refused.
func (u *aclRules) applyAll(rules []string) (refused string, err error) {
	for _, rule := range rules {
		if err := u.apply(rule); err != nil {
			return rule, err
		}
	}
	return "", nil
}

// applyMarked carries out a rule that begins with a sign.
func (u *aclRules) applyMarked(rule string) error {
	if rule == "" {
		return errRuleSyntax
	}
	switch rule[0] {
	case '>':
		u.addPassword(hashed(rule[1:]))
	case '#':
		if !isHash(rule[1:]) {
			return errRuleHash
		}
		u.addPassword(rule[1:])
	case '<':
		return u.removePassword(hashed(rule[1:]))
	case '!':
		if !isHash(rule[1:]) {
			return errRuleHash
		}
		return u.removePassword(rule[1:])
	case '(':
		return u.addSelector(rule)
	default:
		return u.selectors[0].apply(rule)
	}
	return nil
}

func (u *aclRules) addPassword(hash string) {
	u.noPass = false
	if !slices.Contains(u.passwords, hash) {
		u.passwords = append(u.passwords, hash)
	}
}

func (u *aclRules) removePassword(hash string) error {
	i := slices.Index(u.passwords, hash)
	if i < 0 {
		return errRulePassword
	}
	u.passwords = slices.Delete(u.passwords, i, i+1)
	return nil
}

// addSelector adds one that is written in parentheses.
func (u *aclRules) addSelector(rule string) error {
	inner, closed := strings.CutSuffix(rule[1:], ")")
	if !closed {
		return errRuleSyntax
	}
	s := u.from.newSelector()
	for _, word := range strings.Fields(inner) {
		if err := s.apply(word); err != nil {
			return err
		}
	}
	u.selectors = append(u.selectors, s)
	return nil
}

// hashed is how a password is kept: the hexadecimal digits of its SHA-256.
func hashed(password string) string {
	sum := sha256.Sum256([]byte(password))
	return hex.EncodeToString(sum[:])
}

func isHash(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}

// apply carries out a rule about commands, keys or channels.
func (s *aclSelector) apply(rule string) error {
	switch strings.ToLower(rule) {
	case "allkeys", "~*":
		s.keys, s.keysComplete = []keyPattern{{anyPattern, mayRead | mayWrite}}, true
	case "resetkeys":
		s.keys, s.keysComplete = nil, false
	case "allchannels", "&*":
		s.channels = []string{anyPattern}
	case "resetchannels":
		s.channels = nil
	case "allcommands", "+@all", "nocommands", "-@all":
		s.setAll(rule[0] == '+' || strings.EqualFold(rule, "allcommands"))
		s.first = nil
	default:
		return s.applyMarked(rule)
	}
	return nil
}

func (s *aclSelector) applyMarked(rule string) error {
	switch {
	case rule[0] == '~':
		return s.addKeys(rule[1:], mayRead|mayWrite)
	case rule[0] == '%':
		return s.addRestrictedKeys(rule[1:])
	case rule[0] == '&':
		return s.addChannel(rule[1:])
	case strings.HasPrefix(rule, "+@"), strings.HasPrefix(rule, "-@"):
		return s.setCategory(strings.ToLower(rule[2:]), rule[0] == '+')
	case rule[0] == '+', rule[0] == '-':
		return s.setCommand(strings.ToLower(rule[1:]), rule[0] == '+')
	}
	return errRuleSyntax
}

// addRestrictedKeys takes what stands behind the %: R or W or both, then ~ and the pattern.
func (s *aclSelector) addRestrictedKeys(rule string) error {
	letters, pattern, found := strings.Cut(rule, "~")
	var access keyAccess
	for _, letter := range strings.ToUpper(letters) {
		switch {
		case letter == 'R' && access&mayRead == 0:
			access |= mayRead
		case letter == 'W' && access&mayWrite == 0:
			access |= mayWrite
		default:
			return errRuleSyntax
		}
	}
	if !found || access == 0 {
		return errRuleSyntax
	}
	return s.addKeys(pattern, access)
}

func (s *aclSelector) addKeys(pattern string, access keyAccess) error {
	switch {
	case s.keysComplete:
		return errRuleKeys
	case strings.ContainsAny(pattern, " \x00"):
		return errRuleSyntax
	}
	for i := range s.keys {
		if s.keys[i].pattern == pattern {
			s.keys[i].access |= access
			return nil
		}
	}
	s.keys = append(s.keys, keyPattern{pattern, access})
	return nil
}

func (s *aclSelector) addChannel(pattern string) error {
	switch {
	case s.allChannels():
		return errRuleChannels
	case strings.ContainsAny(pattern, " \x00"):
		return errRuleSyntax
	}
	if !slices.Contains(s.channels, pattern) {
		s.channels = append(s.channels, pattern)
	}
	return nil
}

func (s *aclSelector) setCategory(category string, on bool) error {
	if !slices.Contains(categories, category) {
		return errRuleUnknown
	}
	s.table.eachWithSubcommands(func(cmd *Command) {
		if cmd.inCategory(category) {
			s.setOne(cmd, on)
		}
	})
	return nil
}

func (s *aclSelector) setOne(cmd *Command, on bool) {
	s.commands.set(cmd, on)
	delete(s.first, cmd.number)
}

// setCommand takes a command with all its subcommands, one subcommand, or a command with a first argument.
func (s *aclSelector) setCommand(name string, on bool) error {
	container, sub, nested := strings.Cut(name, "|")
	cmd := s.table.Get(container)
	switch {
	case cmd == nil:
		return errRuleUnknown
	case !nested:
		s.setOne(cmd, on)
		for i := range cmd.Sub {
			s.setOne(&cmd.Sub[i], on)
		}
		return nil
	case cmd.Sub == nil:
		return s.setFirstArgument(cmd, sub, on)
	case strings.Contains(sub, "|"):
		return errRuleFirstArg
	}
	if cmd = cmd.index.find([]byte(sub)); cmd == nil {
		return errRuleUnknown
	}
	s.setOne(cmd, on)
	return nil
}

// setFirstArgument allows a command with one word behind it; that can't be denied.
func (s *aclSelector) setFirstArgument(cmd *Command, word string, on bool) error {
	if !on || word == "" || strings.Contains(word, "|") {
		return errRuleUnknown
	}
	s.allowFirst(cmd.number, word)
	return nil
}

// merged joins the words of selectors that were written with blanks in them.
func merged(words []string) ([]string, error) {
	var rules []string
	open, from := "", ""
	for _, word := range words {
		switch {
		case open != "":
			open += " " + word
		case strings.HasPrefix(word, "("):
			open, from = word, word
		default:
			rules = append(rules, word)
			continue
		}
		if strings.HasSuffix(word, ")") {
			rules, open = append(rules, open), ""
		}
	}
	if open != "" {
		return nil, errorf("ERR Unmatched parenthesis in acl selector starting at '%s'.", from)
	}
	return rules, nil
}
