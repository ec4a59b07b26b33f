package acl

// How ACL LIST and ACL GETUSER show rules. Keys and channels are kept as they were set, and so are rules about commands
// since Redis 7.2. Redis 7.0 keeps only the resulting set of commands, and computes a list of rules that leads to it
// (ACLDescribeSelectorCommandRules). It is greedy: first whole categories, in the order in which they fit best, then
// single commands. ACL SETUSER with the result gives the same set, but rarely the rules that were written.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/emulate"
)

// Describe returns the line of the user in ACL LIST: "user", the name, the flags, the hashes of the passwords, the
// rules of the root selector, and each further selector in brackets.
func (u *User) Describe() string {
	r := u.Rules()
	words := append([]string{"user", u.Name}, r.Flags()...)
	for _, hash := range r.passwords {
		words = append(words, "#"+hash)
	}
	words = append(words, r.selectors[0].describe())
	for _, s := range r.selectors[1:] {
		words = append(words, "("+s.describe()+")")
	}
	return strings.Join(words, " ")
}

// Flags returns the words for the state of the user, as ACL GETUSER shows them: on or off, nopass, and
// sanitize-payload or skip-sanitize-payload if one was set.
func (r *Rules) Flags() []string {
	flags := []string{"off"}
	if r.enabled {
		flags[0] = "on"
	}
	if r.noPass {
		flags = append(flags, "nopass")
	}
	if r.payload != "" {
		flags = append(flags, r.payload)
	}
	return flags
}

// describe returns the rules of a selector in the order of ACL LIST: keys, channels, commands. Channels begin with
// resetchannels unless all are allowed, so that the line means the same whatever acl-pubsub-default is.
func (s *Selector) describe() string {
	var words []string
	if keys := s.Keys(); keys != "" {
		words = append(words, keys)
	}
	if !s.allChannels() {
		words = append(words, "resetchannels")
	}
	if channels := s.Channels(); channels != "" {
		words = append(words, channels)
	}
	if s.someDatabases {
		words = append(words, cmp.Or(s.Databases(), "resetdbs"))
	}
	return strings.Join(append(words, s.Commands()), " ")
}

// Keys returns the rules about keys, such as "~a* %R~b", "" for none.
func (s *Selector) Keys() string {
	words := make([]string, len(s.keys))
	for i, p := range s.keys {
		words[i] = p.String()
	}
	return strings.Join(words, " ")
}

// Channels returns the rules about channels, such as "&news:*", "" for none.
func (s *Selector) Channels() string {
	words := make([]string, len(s.channels))
	for i, p := range s.channels {
		words[i] = "&" + p
	}
	return strings.Join(words, " ")
}

// Commands are the rules about commands: those that were applied, or, as in Redis 7.0, rules that lead to the same set:
// from all or from none, first by the categories that fit best, then command by command.
func (s *Selector) Commands() string {
	if s.known.server.Does(emulate.RulesKept) {
		return strings.Join(append([]string{first(s.commands.future)}, s.written...), " ")
	}
	d := description{from: s, built: &Selector{known: s.known}, add: !s.commands.future}
	d.rule(first(s.commands.future))
	left := s.clone()
	for category := d.best(left); category != ""; category = d.best(left) {
		d.rule(d.sign(d.add) + "@" + category)
		_ = left.apply(d.sign(!d.add) + "@" + category)
		d.used = append(d.used, category)
	}
	d.single()
	return strings.Join(d.rules, " ")
}

// first is the rule to begin with.
func first(all bool) string {
	if all {
		return "+@all"
	}
	return "-@all"
}

// write keeps a rule about a command or a category as it was written, in place of an earlier one about the same, or
// about a part of it.
func (s *Selector) write(name string, on bool) {
	s.written = slices.DeleteFunc(s.written, func(rule string) bool {
		return rule[1:] == name || strings.HasPrefix(rule[1:], name+"|")
	})
	sign := "-"
	if on {
		sign = "+"
	}
	s.written = append(s.written, sign+name)
}

// description looks for rules that lead to the set of commands of from. built is the set that the rules so far lead
// to.
type description struct {
	from, built *Selector
	add         bool // from none, not from all
	rules, used []string
}

// sign returns the sign of a rule that adds to the allowed commands, or that takes from them.
func (d *description) sign(add bool) string {
	if add {
		return "+"
	}
	return "-"
}

// rule adds a rule, and applies it to built, so that built is always what the rules so far lead to.
func (d *description) rule(rule string) {
	d.rules = append(d.rules, rule)
	_ = d.built.apply(rule)
}

// best returns the category that has more commands in common with left than not, and among these the one with the
// smallest number of others; "" if there is no such category.
func (d *description) best(left *Selector) (best string) {
	minOther, maxSame := -1, 0
	for _, category := range d.from.known.categories {
		if slices.Contains(d.used, category) {
			continue
		}
		same, other := left.countCategory(category, d.add)
		if same > other && (minOther < 0 || other < minOther || other == minOther && same > maxSame) {
			best, minOther, maxSame = category, other, same
		}
	}
	return best
}

// countCategory counts the commands of a category that are allowed, or with allowed unset are not, and the others.
func (s *Selector) countCategory(category string, allowed bool) (same, other int) {
	for _, cmd := range s.known.all {
		switch {
		case !slices.Contains(cmd.Categories, category):
		case s.commands.has(cmd) == allowed:
			same++
		default:
			other++
		}
	}
	return same, other
}

// single adds rules for the commands that built has and from has not, or the other way round, and for first arguments.
func (d *description) single() {
	for _, cmd := range d.from.known.all {
		if on := d.from.commands.has(cmd); on != d.built.commands.has(cmd) {
			d.rule(d.sign(on) + cmd.Name)
		}
		for _, word := range d.from.first[cmd.number] {
			d.rules = append(d.rules, "+"+cmd.Name+"|"+word)
		}
	}
}
