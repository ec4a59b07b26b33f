package compat

import (
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/emulate"
)

// newerGroups are the groups of commands and arguments that not all servers have, with since when they are there
// (emulate.Server.Has).
var newerGroups = []struct {
	since string
	commandGroup
}{
	{"7.2", commandGroup{"ranks", []template{
		"ZADD {key} <{float} {member}>",
		"ZRANK {key} {member} WITHSCORE",
		"ZREVRANK {key} {member} WITHSCORE",
	}}},
	{"7.4 valkey-9.0", commandGroup{"fields", []template{
		"HSET {key} <{field} {value}>",
		"HDEL {key} <{field}>",
		"HGETALL {key}",
		"HEXPIRE {key} {ttl} [NX|XX|GT|LT] FIELDS 1 {field}",
		"HPEXPIRE {key} {pttl} [NX|XX|GT|LT] FIELDS 2 {field} {field}",
		"HEXPIREAT {key} {at} [NX|XX|GT|LT] FIELDS 1 {field}",
		"HPEXPIREAT {key} {pat} [NX|XX|GT|LT] FIELDS 1 {field}",
		"HPEXPIREAT {key} {pat} FIELDS {count} <{field}>",
		"HTTL {key} FIELDS 1 {field}",
		"HPTTL {key} FIELDS 2 {field} {field}",
		"HEXPIRETIME {key} FIELDS 1 {field}",
		"HPEXPIRETIME {key} FIELDS {count} <{field}>",
		"HPERSIST {key} FIELDS 1 {field}",
		"HINCRBY {key} {field} {int}",
		"COPY {key} {key} [REPLACE]",
		"RENAME {key} {key}",
	}}},
	{"7.4 valkey-8.0", commandGroup{"scans without values", []template{
		"HSET {key} <{field} {value}>",
		"HSCAN {key} 0 COUNT 1000 NOVALUES",
	}}},
	{"valkey-8.1", commandGroup{"scans without scores", []template{
		"ZADD {key} <{float} {member}>",
		"ZSCAN {key} 0 COUNT 1000 NOSCORES",
	}}},
	{"valkey-9.1", commandGroup{"conditions of hashes", []template{
		"HSETEX {key} [NX|XX] [EX {ttl}|PX {pttl}] FIELDS 1 {field} {value}",
		"HSETEX {key} (NX|XX) (FNX|FXX) FIELDS 1 {field} {value}",
		"DEL {key}",
	}}},
	{"8.0 valkey-9.0", commandGroup{"field options", []template{
		"HGETEX {key} [EX {ttl}|PX {pttl}|EXAT {at}|PXAT {pat}|PERSIST] FIELDS 1 {field}",
		"HSETEX {key} [FNX|FXX] [EX {ttl}|PX {pttl}|EXAT {at}|PXAT {pat}|KEEPTTL] FIELDS 1 {field} {value}",
		"HSETEX {key} FIELDS {count} <{field} {value}>",
	}}},
	{"8.0 valkey-9.1", commandGroup{"field removals", []template{
		"HGETDEL {key} FIELDS 1 {field}",
		"HGETDEL {key} FIELDS {count} <{field}>",
	}}},
	{"8.2", commandGroup{"bit differences", []template{
		"SETBIT {key} {offset} (0|1)",
		"BITOP (DIFF|DIFF1|ANDOR|ONE) {key} <{key}>",
		"BITOP (DIFF|DIFF1|ANDOR|ONE) {key} {key} {key}",
	}}},
	{"8.2", commandGroup{"references", []template{
		"XADD {key} {id} <{field} {value}>",
		"XADD {key} (KEEPREF|DELREF|ACKED) [MAXLEN {count}|MINID {id}] {id} {field} {value}",
		"XTRIM {key} (MAXLEN {count}|MINID {id}) (KEEPREF|DELREF|ACKED)",
		"XGROUP CREATE {key} {group} 0",
		"XREADGROUP GROUP {group} {consumer} COUNT 2 STREAMS {key} >",
		"XDELEX {key} [KEEPREF|DELREF|ACKED] IDS 1 {id}",
		"XDELEX {key} [KEEPREF|DELREF|ACKED] IDS {count} <{id}>",
		"XACKDEL {key} {group} [KEEPREF|DELREF|ACKED] IDS 1 {id}",
		"XPENDING {key} {group}",
	}}},
	{"valkey-8.1", commandGroup{"comparisons", []template{
		"SET {key} {value} IFEQ {value} [GET] [EX {ttl}|PX {pttl}|EXAT {at}|PXAT {pat}|KEEPTTL]",
		"SET {key} {value}",
	}}},
	{"valkey-9.1", commandGroup{"several strings", []template{
		"DELIFEQ {key} {value}",
		// Not with a time that has passed: Valkey expires the key when it comes upon it.
		"MSETEX 1 {key} {value} [NX|XX] [EX {ttl}|PX {pttl}|EXAT 9000000000|PXAT 9000000000001|KEEPTTL]",
		"MSETEX 2 {key} {value} {key} {value} [NX|XX] [EX {ttl}|PX {pttl}]",
		"MSETEX {count} <{key} {value}>",
	}}},
}

// keepsOverflow are the servers where RESTORE keeps a key whose expiry overflows, since the compiler of these has taken
// the check for one that is never true (testdata/restore_overflow.txt).
const keepsOverflow = "=8.0 =valkey-8.1"

// groupsOf returns the groups that a server has.
func groupsOf(server string) []commandGroup {
	groups := commonGroups
	if emulate.Named(server).Has(keepsOverflow) {
		groups = replaced(groups, "dumps", "{pttl}", "{pttlinrange}")
	}
	for _, newer := range newerGroups {
		if emulate.Named(server).Has(newer.since) {
			groups = append(groups[:len(groups):len(groups)], newer.commandGroup)
		}
	}
	return groups
}

// replaced returns groups with other words in the templates of one of them.
func replaced(groups []commandGroup, name, old, with string) []commandGroup {
	changed := slices.Clone(groups)
	at := slices.IndexFunc(groups, func(g commandGroup) bool { return g.name == name })
	changed[at].templates = nil
	for _, t := range groups[at].templates {
		changed[at].templates = append(changed[at].templates, template(strings.ReplaceAll(string(t), old, with)))
	}
	return changed
}

// commandGroups are the groups that the emulated server has.
var commandGroups = groupsOf(emulated)

// keyNamedLikeOption reports whether a call is an HSETEX whose key has the name of an option: Valkey 9.1 reports its
// event for another word of the call than the key.
func keyNamedLikeOption(args []string) bool {
	return emulate.Named(emulated).Has("valkey-9.1") && args[0] == "HSETEX" && len(args) > 1 &&
		slices.Contains([]string{"NX", "XX", "FNX", "FXX"}, strings.ToUpper(args[1]))
}
