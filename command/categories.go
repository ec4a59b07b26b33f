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

// InCategory reports whether the command belongs to an ACL category. As in Redis, a container that can't be called
// without a subcommand belongs to slow only.
func (c *Command) InCategory(category string) bool {
	category = strings.ToLower(category)
	switch {
	case category == "":
		return false // groupCategory has "" for groups without a category
	case category == "slow":
		return !c.Flags.Has(Fast)
	case c.Run == nil:
		return false
	case c.Categories != "" && slices.Contains(strings.Fields(c.Categories), category),
		c.Categories == "" && groupCategory[c.Group] == category:
		return true
	}
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

// ACLCategories returns the command's ACL categories, in the order of Categories.
func (c *Command) ACLCategories() []string {
	var found []string
	for _, category := range Categories {
		if c.InCategory(category) {
			found = append(found, category)
		}
	}
	return found
}
