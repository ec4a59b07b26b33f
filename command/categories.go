package command

import (
	"slices"
	"strings"
)

// Categories are the ACL categories in the order in which Redis lists them.
var Categories = []string{"keyspace", "read", "write", "set", "sortedset", "list", "hash", "string", "bitmap", "hyperloglog", "geo",
	"stream", "pubsub", "admin", "fast", "slow", "blocking", "dangerous", "connection", "transaction", "scripting"}

// groupCategory is the category that a group's commands have of themselves. In the groups server and cluster
// they have none, in pubsub the flag tells it.
var groupCategory = map[string]string{"generic": "keyspace", "set": "set", "sorted-set": "sortedset", "list": "list", "hash": "hash",
	"string": "string", "bitmap": "bitmap", "hyperloglog": "hyperloglog", "geo": "geo", "stream": "stream",
	"connection": "connection", "transactions": "transaction", "scripting": "scripting"}

// InCategory reports whether the command belongs to an ACL category: by its row's Categories or else its group, and by
// its flags. Of a container that can't be called itself nothing is known but that it is not fast.
func (c *Command) InCategory(category string) bool {
	category = strings.ToLower(category)
	switch {
	case category == "":
		return false // the group of commands that have no category
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
		return c.Keys.Whole && c.Group == "server" && (c.Flags.Has(Write) || c.Flags.Has(ReadOnly)) // DBSIZE and the like
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

// ACLCategories lists the ACL categories of the command.
func (c *Command) ACLCategories() []string {
	var found []string
	for _, category := range Categories {
		if c.InCategory(category) {
			found = append(found, category)
		}
	}
	return found
}
