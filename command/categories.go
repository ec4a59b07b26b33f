package command

import (
	"slices"
	"strings"
)

// categories are the ACL categories in the order in which Redis lists them.
var categories = []string{"keyspace", "read", "write", "set", "sortedset", "list", "hash", "string", "bitmap", "hyperloglog", "geo",
	"stream", "pubsub", "admin", "fast", "slow", "blocking", "dangerous", "connection", "transaction", "scripting"}

// groupCategory is the category that a group's commands have of themselves. In the groups server and cluster
// they have none, in pubsub the flag tells it.
var groupCategory = map[string]string{"generic": "keyspace", "set": "set", "sorted-set": "sortedset", "list": "list", "hash": "hash",
	"string": "string", "bitmap": "bitmap", "hyperloglog": "hyperloglog", "geo": "geo", "stream": "stream",
	"connection": "connection", "transactions": "transaction", "scripting": "scripting"}

// inCategory reports whether the command belongs to an ACL category: by its row's Categories or else its group, and by its
// flags. Of a container that can't be called itself nothing is known but that it is not fast.
func (c *Command) inCategory(category string) bool {
	category = strings.ToLower(category)
	switch {
	case category == "":
		return false // the group of commands that have no category
	case category == "slow":
		return !c.Flags.has(Fast)
	case c.Run == nil:
		return false
	case c.Categories != "" && slices.Contains(strings.Fields(c.Categories), category),
		c.Categories == "" && groupCategory[c.Group] == category:
		return true
	}
	switch category {
	case "keyspace":
		return c.Keys.Whole && c.Group == "server" && (c.Flags.has(Write) || c.Flags.has(ReadOnly)) // DBSIZE and the like
	case "read":
		return c.Flags.has(ReadOnly) && c.Group != "scripting"
	case "write":
		return c.Flags.has(Write)
	case "pubsub":
		return c.Flags.has(PubSub)
	case "admin":
		return c.Flags.has(Admin)
	case "fast":
		return c.Flags.has(Fast)
	case "blocking":
		return c.Flags.has(Blocking)
	case "dangerous":
		return c.Flags.has(Admin) || c.Flags.has(Dangerous)
	}
	return false
}

// categories lists the ACL categories of the command.
func (c *Command) categories() []string {
	var found []string
	for _, category := range categories {
		if c.inCategory(category) {
			found = append(found, category)
		}
	}
	return found
}
