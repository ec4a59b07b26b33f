package config

import "github.com/minilockd/minilockd/internal/rdb"

// compatibilityParameters are about other products, and other versions.
var compatibilityParameters = []parameter{
	{name: "extended-redis-compatibility", since: "valkey-8.0", value: "no", kind: yesNoValue},
	{name: "rdb-version-check", since: "valkey-8.1", value: "strict", kind: oneOfValue("strict", "relaxed")},
}

// PosesAsRedis reports whether Valkey says that it is Redis (extended-redis-compatibility).
func (c *Config) PosesAsRedis() bool { return c.is("extended-redis-compatibility", "yes") }

// UncheckedVersion is what is not checked of a payload because of rdb-version-check.
func (c *Config) UncheckedVersion() rdb.Unchecked {
	if c.is("rdb-version-check", "relaxed") {
		return rdb.UncheckedVersion
	}
	return 0
}
