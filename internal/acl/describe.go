package acl

import (
	"slices"
	"strings"
)

// Describe is the user's line of ACL LIST.
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

// Flags are the words for the user's state.
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
	return strings.Join(append(words, s.Commands()), " ")
}

// Keys are the rules about keys.
func (s *Selector) Keys() string {
	words := make([]string, len(s.keys))
	for i, p := range s.keys {
		words[i] = p.String()
	}
	return strings.Join(words, " ")
}

// Channels are the rules about channels.
func (s *Selector) Channels() string {
	words := make([]string, len(s.channels))
	for i, p := range s.channels {
		words[i] = "&" + p
	}
	return strings.Join(words, " ")
}

// Commands are rules that lead to the set of allowed commands: from all or from none, first by the categories that fit
// best, then command by command. The rules that were applied are not kept, nor does Redis 7.0 keep them.
func (s *Selector) Commands() string {
	d := description{from: s, built: &Selector{known: s.known}, add: !s.commands.future}
	if d.add {
		d.rule("-@all")
	} else {
		d.rule("+@all")
	}
	left := s.clone()
	for category := d.best(left); category != ""; category = d.best(left) {
		d.rule(d.sign(d.add) + "@" + category)
		_ = left.apply(d.sign(!d.add) + "@" + category)
		d.used = append(d.used, category)
	}
	d.single()
	return strings.Join(d.rules, " ")
}

// description looks for rules that lead to a set of commands.
type description struct {
	from, built *Selector
	add         bool // from none, not from all
	rules, used []string
}

func (d *description) sign(add bool) string {
	if add {
		return "+"
	}
	return "-"
}

func (d *description) rule(rule string) {
	d.rules = append(d.rules, rule)
	_ = d.built.apply(rule)
}

// best is the category that has more commands in common with left than not, and among these the one with the fewest
// others; "" if there is no such category.
func (d *description) best(left *Selector) (best string) {
	fewest, most := -1, 0
	for _, category := range d.from.known.categories {
		if slices.Contains(d.used, category) {
			continue
		}
		same, other := left.countCategory(category, d.add)
		if same > other && (fewest < 0 || other < fewest || other == fewest && same > most) {
			best, fewest, most = category, other, same
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

// single adds what is still missing, and first arguments.
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
