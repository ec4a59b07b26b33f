package control

// FAULT.* adds and removes the rules by which calls go wrong; package fault has the rules. A fault never happens to the
// commands of this package.

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/resp"
)

// faultFlags do not keep the commands out of EXEC: none of them waits.
const faultFlags = anytime | command.Admin | command.NoScript

var faultCommands = []command.Command{
	{Name: "fault.add", Usage: fault.Usage, Arity: -3, Flags: faultFlags, Since: since,
		Summary: "Adds a rule: which calls go wrong, and how. Returns its id.", Run: faultAdd},
	{Name: "fault.list", Arity: 1, Flags: faultFlags, Since: since,
		Summary: "Lists the rules, how many calls fit them, and how often their faults have happened.", Run: faultList},
	{Name: "fault.remove", Usage: "id", Arity: 2, Flags: faultFlags, Since: since,
		Summary: "Removes a rule. Calls that it lets hang run now.", Run: faultRemove},
	{Name: "fault.clear", Arity: 1, Flags: faultFlags, Since: since,
		Summary: "Removes all rules, and returns how many there were.", Run: faultClear},
	{Name: "fault.hits", Usage: "id", Arity: 2, Flags: faultFlags, Since: since,
		Summary: "Returns how often the fault of a rule has happened.", Run: faultHits},
	{Name: "fault.exempt", Arity: 1, Flags: anytime | command.NoScript | command.NoAuth, Since: since,
		Summary: "Exempts the connection: no rule and no partition concerns its calls.", Run: faultExempt},
}

// errNoRule is the error of FAULT.HITS. FAULT.REMOVE replies 0 instead, as DEL does for a missing key.
var errNoRule = errors.New("ERR no rule with that id")

// faultAdd implements FAULT.ADD [condition …] THEN action, and replies the id of the rule.
func faultAdd(c *command.Call) resp.Value {
	rule, err := fault.Parse(command.Strings(c.Rest(1)))
	if err != nil {
		return c.Fail(err)
	}
	id, err := hooksOf(c).Faults.Add(rule)
	return c.FailOr(err, resp.Int(id))
}

// faultList implements FAULT.LIST: a map for each rule, in their order. The text of a rule is what FAULT.ADD takes.
func faultList(c *command.Call) resp.Value {
	var list []resp.Value
	for _, r := range hooksOf(c).Faults.List() {
		list = append(list, resp.Map(resp.BulkString("id"), resp.Int(r.ID),
			resp.BulkString("rule"), resp.BulkString(r.Rule.String()),
			resp.BulkString("matches"), resp.Int(r.Fitting), resp.BulkString("hits"), resp.Int(r.Hits)))
	}
	return resp.Array(list...)
}

// faultRemove implements FAULT.REMOVE id, and replies 1, or 0 if there is no such rule.
func faultRemove(c *command.Call) resp.Value {
	id, err := c.Int(1)
	if err != nil {
		return c.Fail(err)
	}
	if !hooksOf(c).Faults.Remove(id) {
		return resp.Zero
	}
	return resp.Int(1)
}

// faultClear implements FAULT.CLEAR, and replies how many rules there were.
func faultClear(c *command.Call) resp.Value { return resp.Int(int64(hooksOf(c).Faults.Clear())) }

// faultExempt implements FAULT.EXEMPT. A client may send it before it authenticates, so that it can do that.
func faultExempt(c *command.Call) resp.Value {
	c.Session.SetExempt()
	return resp.OK
}

// faultHits implements FAULT.HITS id.
func faultHits(c *command.Call) resp.Value {
	id, err := c.Int(1)
	if err != nil {
		return c.Fail(err)
	}
	hits, ok := hooksOf(c).Faults.Hits(id)
	if !ok {
		return c.Fail(errNoRule)
	}
	return resp.Int(hits)
}
