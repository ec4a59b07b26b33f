package command

import (
	"slices"
	"strings"
)

// describe is the user's line of ACL LIST.
func (u *aclUser) describe() string {
	r := u.rules.Load()
	words := append([]string{"user", u.name}, r.flags()...)
	for _, hash := range r.passwords {
		words = append(words, "#"+hash)
	}
	words = append(words, r.selectors[0].describe())
	for _, s := range r.selectors[1:] {
		words = append(words, "("+s.describe()+")")
	}
	return strings.Join(words, " ")
}

// flags are the words for the user's state.
func (u *aclRules) flags() []string {
	flags := []string{"off"}
	if u.enabled {
		flags[0] = "on"
	}
	if u.noPass {
		flags = append(flags, "nopass")
	}
	if u.payload != "" {
		flags = append(flags, u.payload)
	}
	return flags
}

func (s *aclSelector) describe() string {
	var words []string
	if keys := s.describeKeys(); keys != "" {
		words = append(words, keys)
	}
	if !s.allChannels() {
		words = append(words, "resetchannels")
	}
	if channels := s.describeChannels(); channels != "" {
		words = append(words, channels)
	}
	return strings.Join(append(words, s.describeCommands()), " ")
}

func (s *aclSelector) describeKeys() string {
	words := make([]string, len(s.keys))
	for i, p := range s.keys {
		words[i] = p.String()
	}
	return strings.Join(words, " ")
}

func (s *aclSelector) describeChannels() string {
	words := make([]string, len(s.channels))
	for i, p := range s.channels {
		words[i] = "&" + p
	}
	return strings.Join(words, " ")
}

// describeCommands finds rules that lead to the same set of commands: from all or from none, first by the categories that fit
// best, then command by command. How it came about is not kept, nor does Redis 7.0 keep it.
func (s *aclSelector) describeCommands() string {
	d := description{from: s, built: &aclSelector{table: s.table}, add: !s.commands.future}
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

// description is rules being found.
type description struct {
	from, built *aclSelector
	add         bool // from none
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

// best is the category that has more commands in common with what is left than not, and the fewest that are not; "" if there is
// none.
func (d *description) best(left *aclSelector) (best string) {
	fewest, most := -1, 0
	for _, category := range categories {
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
func (s *aclSelector) countCategory(category string, allowed bool) (same, other int) {
	s.table.eachWithSubcommands(func(cmd *Command) {
		switch {
		case !cmd.inCategory(category):
		case s.commands.has(cmd) == allowed:
			same++
		default:
			other++
		}
	})
	return same, other
}

// single adds what is still missing, and first arguments.
func (d *description) single() {
	d.from.table.eachWithSubcommands(func(cmd *Command) {
		if on := d.from.commands.has(cmd); on != d.built.commands.has(cmd) {
			d.rule(d.sign(on) + cmd.FullName())
		}
		for _, word := range d.from.first[cmd.number] {
			d.rules = append(d.rules, "+"+cmd.FullName()+"|"+word)
		}
	})
}
