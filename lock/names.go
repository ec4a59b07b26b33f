package lock

import "strings"

// prefixed is how Redisson derives a key or channel of its own from a lock's name, in the same cluster slot: the name
// goes in braces unless it has some already (RedissonObject.prefixName).
func prefixed(prefix, name string) string {
	if strings.Contains(name, "{") {
		return prefix + ":" + name
	}
	return prefix + ":{" + name + "}"
}

// braced is the name with braces around it, unless it has some already.
func braced(name string) string {
	if strings.Contains(name, "{") {
		return name
	}
	return "{" + name + "}"
}

// suffixed is RedissonObject.suffixName.
func suffixed(name, suffix string) string { return braced(name) + ":" + suffix }

// hashTag is the part of a key that decides its cluster slot.
func hashTag(key string) string {
	_, rest, found := strings.Cut(key, "{")
	if tag, _, closed := strings.Cut(rest, "}"); found && closed && tag != "" {
		return tag
	}
	return key
}
