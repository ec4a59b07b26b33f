// Package emulate knows the servers that minilockd can stand for, versions of Redis and of Valkey, and in what they
// differ. Which commands, arguments, parameters and fields of INFO a server has stands in the rows of these, in the
// notation of [Server.Has]; how the same command differs is the list in behaviors.go. It is a part of the server, not
// an API.
package emulate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/internal/rdb"
)

// Server is a server that minilockd can stand for. It is immutable.
type Server struct {
	Name    string // the value of the option: "8.2", "valkey-9.1"
	Version string // the release whose replies it gives: "8.2.3", "9.1.2"
	Valkey  bool
	RDB     rdb.Version // of its RDB files and of the payloads of DUMP

	number release
	does   [behaviors]bool
}

// forkedAt is the version of Redis that Valkey was forked from, and RedisOfValkey what it says it is compatible with.
var forkedAt = release{7, 2}

// RedisOfValkey is redis_version in INFO of every Valkey.
const RedisOfValkey = "7.2.4"

// Default is the server that minilockd stands for unless it is told otherwise.
const Default = "8.2"

// servers are all servers, the oldest first.
var servers = []*Server{
	{Name: "7.0", Version: "7.0.15", RDB: rdb.Redis70},
	{Name: "7.2", Version: "7.2.7", RDB: rdb.Redis72},
	{Name: "7.4", Version: "7.4.2", RDB: rdb.Redis74},
	{Name: "8.0", Version: "8.0.6", RDB: rdb.Redis74},
	{Name: "8.2", Version: "8.2.3", RDB: rdb.Redis74},
	{Name: "8.4", Version: "8.4.0", RDB: rdb.Redis74},
	{Name: "valkey-8.1", Version: "8.1.1", Valkey: true, RDB: rdb.Redis72},
	{Name: "valkey-9.1", Version: "9.1.2", Valkey: true, RDB: rdb.Valkey9},
}

func init() {
	for _, s := range servers {
		s.number = parseRelease(s.Version)
		for i := range list {
			s.does[list[i].behavior] = s.Has(list[i].since)
		}
	}
}

// All returns all servers, the oldest of each product first. The caller must not change the slice.
func All() []*Server { return servers }

// Names returns the names of all servers.
func Names() []string {
	names := make([]string, len(servers))
	for i, s := range servers {
		names[i] = s.Name
	}
	return names
}

// Named returns the server of that name, in any letter case; "" is the default, and nil is returned for any other.
func Named(name string) *Server {
	name = cmp.Or(name, Default)
	i := slices.IndexFunc(servers, func(s *Server) bool { return strings.EqualFold(s.Name, name) })
	if i < 0 {
		return nil
	}
	return servers[i]
}

// Product is the name of the product: "redis" or "valkey".
func (s *Server) Product() string {
	if s.Valkey {
		return "valkey"
	}
	return "redis"
}

// Title is the name of the product as in texts: "Redis" or "Valkey".
func (s *Server) Title() string {
	if s.Valkey {
		return "Valkey"
	}
	return "Redis"
}

// RedisVersion is the version of Redis that the server says it has, or is compatible with.
func (s *Server) RedisVersion() string {
	if s.Valkey {
		return RedisOfValkey
	}
	return s.Version
}

// Identity is what a server calls itself: its product, the name of that in texts, and its version.
type Identity struct{ Product, Title, Version string }

// Identity is that of the server, or of the Redis that it is compatible with.
func (s *Server) Identity(asRedis bool) Identity {
	if asRedis {
		return Identity{"redis", "Redis", s.RedisVersion()}
	}
	return Identity{s.Product(), s.Title(), s.Version}
}

// Does reports whether the server behaves so.
func (s *Server) Does(b Behavior) bool { return s.does[b] }

// Has reports whether the server has what these versions have brought, separated by blanks; it is enough if one fits:
//
//	7.2         Redis 7.2 and later. Up to 7.2, which Valkey was forked from, that is every Valkey, too
//	8.0         Redis 8.0 and later, no Valkey
//	valkey-8.1  Valkey 8.1 and later
//	<7.2        Redis before 7.2; also <valkey-9.1
//	redis       every Redis, no Valkey; also valkey
//	=8.0        only the server of that name; also =valkey-8.1
//
// The empty text is every server. Versions may have a patch level.
func (s *Server) Has(since string) bool { return since == "" || s.fitting(since) != "" }

// Since returns the version among those of Has that the server's documentation names.
func (s *Server) Since(since string) string { return strings.TrimPrefix(s.fitting(since), "valkey-") }

// fitting returns the first version of Has that fits, "" if none does.
func (s *Server) fitting(since string) string {
	for version := range strings.FieldsSeq(since) {
		if s.is(version) {
			return version
		}
	}
	return ""
}

// is reports whether one version of Has fits.
func (s *Server) is(version string) bool {
	if version == "redis" || version == "valkey" {
		return version == s.Product()
	}
	if name, exact := strings.CutPrefix(version, "="); exact {
		return name == s.Name
	}
	number, before := strings.CutPrefix(version, "<")
	number, valkey := strings.CutPrefix(number, "valkey-")
	brought := parseRelease(number)
	switch {
	case valkey == s.Valkey:
		return s.number.less(brought) == before
	case s.Valkey && !before:
		return !forkedAt.less(brought.minor())
	}
	return false
}

// release is a version as numbers: major, minor and patch level.
type release [3]int

// parseRelease reads "8.2" or "8.2.3". It panics for anything else: versions are written in the source.
func parseRelease(version string) (r release) {
	parts := strings.Split(version, ".")
	if len(parts) < 2 || len(parts) > len(r) {
		panic(fmt.Sprintf("emulate: version %q", version))
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil {
			panic(fmt.Sprintf("emulate: version %q", version))
		}
		r[i] = n
	}
	return r
}

// minor is the release without its patch level.
func (r release) minor() release { return release{r[0], r[1]} }

// less reports whether r is before o.
func (r release) less(o release) bool {
	for i := range r {
		if r[i] != o[i] {
			return r[i] < o[i]
		}
	}
	return false
}

// Number is the version as Lua scripts get it (REDIS_VERSION_NUM): 8.2.3 is 0x00080203.
func (s *Server) Number() int { return number(s.number) }

// RedisNumber is that of RedisVersion.
func (s *Server) RedisNumber() int { return number(parseRelease(s.RedisVersion())) }

func number(r release) int { return r[0]<<16 | r[1]<<8 | r[2] }
