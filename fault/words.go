package fault

import (
	"fmt"
	"strconv"
)

// Words are the arguments of FAULT.ADD that make the rule.
func (r *Rule) Words() (args []string) {
	text := func(keyword, value string) {
		if value != "" {
			args = append(args, keyword, value)
		}
	}
	number := func(keyword string, n int64) {
		if n != 0 {
			text(keyword, strconv.FormatInt(n, 10))
		}
	}
	text("COMMAND", r.Command)
	if r.Scripted {
		args = append(args, "SCRIPTED")
	}
	text("KEY", r.Key)
	text("SCRIPT", r.Script)
	text("CHANNEL", r.Channel)
	if r.Connect {
		args = append(args, "CONNECT")
	}
	text("CLIENT", r.Client)
	number("AGE", r.Age.Milliseconds())
	if !r.From.IsZero() {
		text("FROM", strconv.FormatInt(r.From.UnixMilli(), 10))
	}
	if !r.Until.IsZero() {
		text("UNTIL", strconv.FormatInt(r.Until.UnixMilli(), 10))
	}
	number("NTH", r.Nth)
	number("EVERY", r.Every)
	if r.Probability > 0 {
		text("PROBABILITY", fmt.Sprint(r.Probability))
	}
	if r.Seed != 0 {
		text("SEED", strconv.FormatUint(r.Seed, 10))
	}
	number("TIMES", r.Times)
	return append(append(args, "THEN"), r.Action.args()...)
}
