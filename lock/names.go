package lock

import "strings"

// addPrefix derives a key or channel from a lock's name, in the same cluster slot: the name gets braces unless it has
// some (RedissonObject.prefixName).
func addPrefix(prefix, name string) string {
	if strings.Contains(name, "{") {
		return prefix + ":" + name
	}
	return prefix + ":{" + name + "}"
}

// addBraces returns the name with braces around it, unless it has some.
func addBraces(name string) string {
	if strings.Contains(name, "{") {
		return name
	}
	return "{" + name + "}"
}

// addSuffix is RedissonObject.suffixName.
func addSuffix(name, suffix string) string { return addBraces(name) + ":" + suffix }
