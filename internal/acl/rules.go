package acl

// Rules are applied one by one, in the order in which ACL SETUSER names them: "nopass >secret" and ">secret nopass"
// differ. A rule about commands, keys or channels outside of brackets belongs to the root selector.
//
// Rules in use are immutable. A change works on a clone, which replaces them only if all rules were valid
// (Users.Edit).

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/emulate"
)

// The errors of ACL SETUSER, word for word as in Redis. The command puts the rule before them.
var (
	errRuleSyntax  = errors.New("Syntax error")
	errRuleUnknown = errors.New("Unknown command or category name in ACL")
	errRuleKeys    = errors.New("Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does " +
		"not have any effect. Try 'resetkeys' to start with an empty list of patterns")
	errRuleChannels = errors.New("Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid and " +
		"does not have any effect. Try 'resetchannels' to start with an empty list of channels")
	errRuleHash = errors.New("The password hash must be exactly 64 characters and contain only lowercase hexadecimal " +
		"characters")
	errRulePassword = errors.New("The password you are trying to remove from the user does not exist")
	errRuleFirstArg = errors.New("Allowing first-arg of a subcommand is not supported")
)

// Template is what new users and selectors are made of. OpenChannels reports whether they may use all channels
// (acl-pubsub-default).
type Template struct {
	Commands     *Commands
	OpenChannels func() bool
}

// rules returns those of a new user, who is off, has no password and may do nothing.
func (t Template) rules() *Rules {
	r := &Rules{selectors: []*Selector{t.selector()}, template: t}
	if t.Commands.server.Does(emulate.PayloadFlagsAlways) {
		_ = r.Apply("sanitize-payload")
	}
	return r
}

// selector returns an empty selector. As in Redis it allows all channels if acl-pubsub-default is allchannels.
func (t Template) selector() *Selector {
	s := &Selector{known: t.Commands}
	if t.OpenChannels() {
		s.channels = []string{anyPattern}
	}
	return s
}

// Rules are what a user may do, and how it authenticates. Once a user has them they do not change.
type Rules struct {
	enabled   bool
	noPass    bool
	payload   string      // sanitize-payload or skip-sanitize-payload, where one was given
	passwords []string    // as hashed returns them
	selectors []*Selector // the root selector first

	template Template
}

// NoPass reports whether the user may authenticate with any password.
func (r *Rules) NoPass() bool { return r.noPass }

// Passwords returns the hashes of the passwords. The caller must not change them.
func (r *Rules) Passwords() []string { return r.passwords }

// Selectors returns the root selector, and after it those that ACL SETUSER has added.
func (r *Rules) Selectors() []*Selector { return r.selectors }

// clone returns a deep copy, which may be changed.
func (r *Rules) clone() *Rules {
	c := *r
	c.passwords = slices.Clone(r.passwords)
	c.selectors = make([]*Selector, len(r.selectors))
	for i, s := range r.selectors {
		c.selectors[i] = s.clone()
	}
	return &c
}

// Apply applies one rule of ACL SETUSER. (Redis documentation: ACL rules.) Names of rules are case-insensitive.
func (r *Rules) Apply(rule string) error {
	switch strings.ToLower(rule) {
	case "": // is no rule
	case "on", "off":
		r.enabled = strings.EqualFold(rule, "on")
	case "nopass":
		r.noPass, r.passwords = true, nil
	case "resetpass":
		r.noPass, r.passwords = false, nil
	case "sanitize-payload", "skip-sanitize-payload":
		r.setPayload(strings.ToLower(rule))
	case "clearselectors":
		r.selectors = r.selectors[:1]
	case "reset":
		*r = *r.template.rules()
		r.setPayload("sanitize-payload")
	default:
		return r.applyMarked(rule)
	}
	return nil
}

// setPayload applies sanitize-payload or skip-sanitize-payload, which say what RESTORE checks.
func (r *Rules) setPayload(rule string) {
	if !r.template.Commands.server.Does(emulate.PayloadFlagsIgnored) {
		r.payload = rule
	}
}

// ApplyAll applies rules in order, and stops at the first that is not valid, which it returns with the error. The
// rules before it stay applied.
func (r *Rules) ApplyAll(rules []string) (invalid string, err error) {
	for _, rule := range rules {
		if err := r.Apply(rule); err != nil {
			return rule, err
		}
	}
	return "", nil
}

// applyMarked applies a rule that begins with a sign: a password (>), the hash of one (#), the removal of either (<
// and !), or a selector in brackets. All others are rules of the root selector.
func (r *Rules) applyMarked(rule string) error {
	if rule == "" {
		return errRuleSyntax
	}
	switch rule[0] {
	case '>':
		r.addPassword(hashed(rule[1:]))
	case '#':
		if !isHash(rule[1:]) {
			return errRuleHash
		}
		r.addPassword(rule[1:])
	case '<':
		return r.removePassword(hashed(rule[1:]))
	case '!':
		if !isHash(rule[1:]) {
			return errRuleHash
		}
		return r.removePassword(rule[1:])
	case '(':
		return r.addSelector(rule)
	default:
		return r.selectors[0].apply(rule)
	}
	return nil
}

// addPassword adds a password, which ends nopass. A password that is there already is not added again.
func (r *Rules) addPassword(hash string) {
	r.noPass = false
	if !slices.Contains(r.passwords, hash) {
		r.passwords = append(r.passwords, hash)
	}
}

// removePassword removes a password; a missing one is an error.
func (r *Rules) removePassword(hash string) error {
	i := slices.Index(r.passwords, hash)
	if i < 0 {
		return errRulePassword
	}
	r.passwords = slices.Delete(r.passwords, i, i+1)
	return nil
}

// addSelector adds a selector, written as "(+get ~a*)". Selectors have no names: they can only be removed together, by
// clearselectors.
func (r *Rules) addSelector(rule string) error {
	inner, closed := strings.CutSuffix(rule[1:], ")")
	if !closed {
		return errRuleSyntax
	}
	s := r.template.selector()
	for _, word := range strings.Fields(inner) {
		if err := s.apply(word); err != nil {
			return err
		}
	}
	r.selectors = append(r.selectors, s)
	return nil
}

// hashed returns a password as it is stored: the hexadecimal digits of its SHA-256.
func hashed(password string) string {
	sum := sha256.Sum256([]byte(password))
	return hex.EncodeToString(sum[:])
}

func isHash(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}

// apply applies a rule about commands, keys or channels.
func (s *Selector) apply(rule string) error {
	switch strings.ToLower(rule) {
	case "allkeys", "~*":
		s.keys, s.keysComplete = []keyPattern{{anyPattern, Read | Write}}, true
	case "resetkeys":
		s.keys, s.keysComplete = nil, false
	case "allchannels", "&*":
		s.channels = []string{anyPattern}
	case "resetchannels":
		s.channels = nil
	case "allcommands", "+@all", "nocommands", "-@all":
		s.setAll(rule[0] == '+' || strings.EqualFold(rule, "allcommands"))
		s.first, s.written = nil, nil
	default:
		if s.known.server.Does(emulate.DatabaseRules) {
			if known, err := s.applyDatabases(strings.ToLower(rule)); known {
				return err
			}
		}
		return s.applyMarked(rule)
	}
	return nil
}

// applyMarked applies a rule that begins with a sign: a pattern for keys (~ or %) or channels (&), or a command or
// category to allow (+) or to deny (-).
func (s *Selector) applyMarked(rule string) error {
	switch {
	case rule[0] == '~':
		return s.addKeys(rule[1:], Read|Write)
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

// addRestrictedKeys reads what follows the %: R or W or both, then ~ and the pattern. Redis takes it without the
// latter, too: then it is about the empty key.
func (s *Selector) addRestrictedKeys(rule string) error {
	letters, pattern, _ := strings.Cut(rule, "~")
	var access Access
	for _, letter := range strings.ToUpper(letters) {
		switch {
		case letter == 'R' && access&Read == 0:
			access |= Read
		case letter == 'W' && access&Write == 0:
			access |= Write
		default:
			return errRuleSyntax
		}
	}
	if access == 0 {
		return errRuleSyntax
	}
	return s.addKeys(pattern, access)
}

// addKeys adds a pattern for keys, or adds to the access of one that is there. After ~* no pattern has an effect, so
// Redis rejects it.
func (s *Selector) addKeys(pattern string, access Access) error {
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

// addChannel adds a pattern for channels. As for keys, a pattern after &* is an error.
func (s *Selector) addChannel(pattern string) error {
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

// setCategory allows or denies all commands and subcommands of a category.
func (s *Selector) setCategory(category string, on bool) error {
	if !slices.Contains(s.known.categories, category) {
		return errRuleUnknown
	}
	for _, cmd := range s.known.all {
		if slices.Contains(cmd.Categories, category) {
			s.setOne(cmd, on)
		}
	}
	s.write("@"+category, on)
	return nil
}

// setOne allows or denies a command or subcommand as a whole: rules about first arguments end.
func (s *Selector) setOne(cmd *Command, on bool) {
	s.commands.set(cmd, on)
	delete(s.first, cmd.number)
}

// setCommand applies +name or -name: to a command with all its subcommands, to one subcommand ("config|get"), or, if
// the command has no subcommands, to the command with a first argument ("select|0").
func (s *Selector) setCommand(name string, on bool) error {
	container, sub, nested := strings.Cut(name, "|")
	cmd := s.known.byName[container]
	switch {
	case cmd == nil:
		return errRuleUnknown
	case !nested:
		s.setOne(cmd, on)
		for _, sub := range cmd.Sub {
			s.setOne(sub, on)
		}
		s.write(name, on)
		return nil
	case len(cmd.Sub) == 0:
		return s.setFirstArgument(cmd, sub, on)
	case strings.Contains(sub, "|"):
		return errRuleFirstArg
	}
	if cmd = s.known.byName[name]; cmd == nil {
		return errRuleUnknown
	}
	s.setOne(cmd, on)
	s.write(name, on)
	return nil
}

// setFirstArgument allows a command with one first argument. It can only be allowed: Redis rejects -select|0.
func (s *Selector) setFirstArgument(cmd *Command, arg string, on bool) error {
	if !on || arg == "" || strings.Contains(arg, "|") {
		return errRuleUnknown
	}
	s.allowFirst(cmd.number, arg)
	s.write(cmd.Name+"|"+arg, on)
	return nil
}
