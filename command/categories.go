package command

// The ACL categories of a command follow from its row: from its group, as long as the row has no Categories, and from
// its flags. A test in compat_test compares them with a real server's COMMAND.

import (
	"slices"
	"strings"
)

// Categories lists the ACL categories in Redis' order (ACL CAT).
var Categories = []string{"keyspace", "read", "write", "set", "sortedset", "list", "hash", "string", "bitmap",
	"hyperloglog", "geo", "stream", "pubsub", "admin", "fast", "slow", "blocking", "dangerous", "connection",
	"transaction", "scripting"}

// groupCategory maps the groups of COMMAND DOCS to categories. The groups server and cluster have none; commands of the
// group pubsub have the flag PubSub.
var groupCategory = map[string]string{"generic": "keyspace", "set": "set", "sorted-set": "sortedset", "list": "list",
	"hash": "hash", "string": "string", "bitmap": "bitmap", "hyperloglog": "hyperloglog", "geo": "geo",
	"stream": "stream", "connection": "connection", "transactions": "transaction", "scripting": "scripting"}

// InCategory reports whether the command belongs to an ACL category, in any letter case.
func (c *Command) InCategory(category string) bool {
	return slices.Contains(c.ACLCategories(), strings.ToLower(category))
}

// ACLCategories returns the command's ACL categories, in the order of Categories. The table has found them; the caller
// must not change them.
func (c *Command) ACLCategories() []string { return c.rule.Categories }

// findCategories returns the ACL categories that follow from the row. As in Redis, a container that can't be called
// without a subcommand belongs to slow only.
func (c *Command) findCategories() (found []string) {
	own := strings.Fields(c.Categories)
	if len(own) == 0 {
		own = []string{groupCategory[c.Group]}
	}
	for _, category := range Categories {
		if category == "slow" && !c.Flags.Has(Fast) ||
			c.Run != nil && (slices.Contains(own, category) || c.flaggedAs(category)) {
			found = append(found, category)
		}
	}
	return found
}

// flaggedAs reports whether the flags of the command make it belong to an ACL category.
func (c *Command) flaggedAs(category string) bool {
	switch category {
	case "keyspace":
		return c.Keys.Whole && c.Group == "server" && (c.Flags.Has(Write) ||
			c.Flags.Has(ReadOnly)) // DBSIZE and the like
	case "read":
		return c.Flags.Has(ReadOnly) && c.Group != "scripting"
	case "write":
		return c.Flags.Has(Write)
	case "pubsub":
		return c.Flags.Has(PubSub)
	case "admin":
		return c.Flags.Has(Admin)
	case "fast":
		return c.Flags.Has(Fast)
	case "blocking":
		return c.Flags.Has(Blocking)
	case "dangerous":
		return c.Flags.Has(Admin) || c.Flags.Has(Dangerous)
	}
	return false
}
