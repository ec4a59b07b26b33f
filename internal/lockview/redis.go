package lockview

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/reply"
	"github.com/minilockd/minilockd/locks"
)

// Redis is a database of any Redis server as a Source. It sends commands that only read, and none that goes through the
// whole keyspace at once. A Redis is not safe for concurrent use.
type Redis struct {
	DB   int // the database that is selected
	conn *redisConn
}

// Dial connects to the server and database of a URL: redis://[user:password@]host:port[/database], or rediss for TLS.
func Dial(ctx context.Context, url string) (*Redis, error) {
	conn, db, err := dialRedis(ctx, url)
	if err != nil {
		return nil, err
	}
	r := &Redis{conn: conn}
	if err := r.Select(ctx, db); err != nil {
		_ = r.Close()
		return nil, err
	}
	return r, nil
}

// Close closes the connection.
func (r *Redis) Close() error { return r.conn.net.Close() }

// Now implements Source.
func (r *Redis) Now(ctx context.Context) (time.Time, error) {
	v, err := r.conn.one(ctx, "TIME")
	if err != nil {
		return time.Time{}, err
	}
	parts := texts(v)
	if len(parts) != 2 {
		return time.Time{}, errReply
	}
	seconds, _ := strconv.ParseInt(parts[0], 10, 64)
	micros, _ := strconv.ParseInt(parts[1], 10, 64)
	return time.Unix(seconds, micros*1000), nil
}

// Names implements Source: by SCAN. A key that it returns twice counts once.
func (r *Redis) Names(ctx context.Context) (names []string, err error) {
	seen := make(map[string]bool)
	for cursor := "0"; ; {
		v, err := r.conn.one(ctx, "SCAN", cursor, "COUNT", "1000")
		if err != nil {
			return nil, err
		}
		if len(v.Elems) != 2 {
			return nil, errReply
		}
		for _, name := range texts(v.Elems[1]) {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
		if cursor = v.Elems[0].Text; cursor == "0" {
			return names, nil
		}
	}
}

// redisType is how the values of a type are read: their size, then all of it unless that is more than the most.
type redisType struct {
	typ  Type
	size string
	most int64
	read []string // what stands before and after the key
}

var redisTypes = map[string]redisType{
	"string": {String, "STRLEN", MaxText, []string{"GET"}},
	"hash":   {Hash, "HLEN", MaxElems, []string{"HGETALL"}},
	"list":   {List, "LLEN", MaxElems, []string{"LRANGE", "0", "-1"}},
	"zset":   {SortedSet, "ZCARD", MaxElems, []string{"ZRANGE", "0", "-1", "WITHSCORES"}},
}

// Read implements Source. A key that is deleted, or gets another type, while it is read counts as none.
func (r *Redis) Read(ctx context.Context, names []string, f func(i int, v Value)) error {
	values, types := make([]Value, len(names)), make([]redisType, len(names))
	steps := []struct {
		command func(i int) []string // nil for none
		got     func(i int, r reply.Reply)
	}{
		{func(int) []string { return []string{"TYPE"} },
			func(i int, r reply.Reply) { types[i] = redisTypes[r.Text] }},
		{func(i int) []string { return ifAny(types[i].size) }, func(i int, r reply.Reply) {
			if number(r) > types[i].most {
				types[i] = redisType{}
			}
		}},
		{func(i int) []string { return types[i].read }, func(i int, r reply.Reply) { values[i].take(types[i].typ, r) }},
		{func(i int) []string { return ifAny(types[i].size, "PTTL") }, func(i int, r reply.Reply) {
			if values[i].TTL = number(r); values[i].TTL == -2 {
				values[i] = Value{}
			}
		}},
	}
	for _, step := range steps {
		if err := r.eachKey(ctx, names, step.command, step.got); err != nil {
			return err
		}
	}
	for i, v := range values {
		f(i, v)
	}
	return nil
}

// ifAny returns a command without further arguments, the last of the names, or nil if the first name is empty.
func ifAny(names ...string) []string {
	if names[0] == "" {
		return nil
	}
	return names[len(names)-1:]
}

// eachKey sends a command for each of the keys that has one: the key is its first argument.
func (r *Redis) eachKey(ctx context.Context, names []string, command func(i int) []string,
	got func(i int, r reply.Reply)) error {
	var at []int
	var calls [][]string
	for i, name := range names {
		if args := command(i); args != nil {
			at, calls = append(at, i), append(calls, append([]string{args[0], name}, args[1:]...))
		}
	}
	return r.conn.pipeline(ctx, calls, func(i int, r reply.Reply) {
		if r.Kind != reply.Error {
			got(at[i], r)
		}
	})
}

// take converts a reply. A nil is that of a key that is gone.
func (v *Value) take(t Type, r reply.Reply) {
	switch {
	case t == String && r.Kind != reply.Nil:
		v.Type, v.Text = String, r.Text
	case t != String && len(r.Elems) > 0:
		v.Type, v.Elems = t, texts(r)
	}
}

// texts returns the elements of an array.
func texts(r reply.Reply) []string {
	list := make([]string, len(r.Elems))
	for i, elem := range r.Elems {
		list[i] = elem.Text
	}
	return list
}

// number returns the number of an integer, 0 of any other reply.
func number(r reply.Reply) int64 {
	n, _ := strconv.ParseInt(r.Text, 10, 64)
	return n
}

// Subscribers implements Source. Redis tells how many clients subscribe to a channel, not which.
func (r *Redis) Subscribers(ctx context.Context) (map[string][]locks.Client, error) {
	v, err := r.conn.one(ctx, "PUBSUB", "CHANNELS", redisson+"*")
	if err != nil {
		return nil, err
	}
	channels := texts(v)
	if len(channels) == 0 {
		return nil, nil
	}
	counts, err := r.conn.one(ctx, append([]string{"PUBSUB", "NUMSUB"}, channels...)...)
	if err != nil {
		return nil, err
	}
	found := make(map[string][]locks.Client)
	for pair := range slices.Chunk(texts(counts), 2) {
		if n, _ := strconv.Atoi(pair[1]); n > 0 {
			found[pair[0]] = make([]locks.Client, n)
		}
	}
	return found, nil
}

// Databases returns the numbers of the databases that have keys.
func (r *Redis) Databases(ctx context.Context) (list []int, err error) {
	v, err := r.conn.one(ctx, "INFO", "keyspace")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(v.Text) {
		if rest, ok := strings.CutPrefix(line, "db"); ok {
			number, _, _ := strings.Cut(rest, ":")
			if n, err := strconv.Atoi(number); err == nil {
				list = append(list, n)
			}
		}
	}
	return list, nil
}

// Select selects a database.
func (r *Redis) Select(ctx context.Context, db int) error {
	if db == r.DB {
		return nil
	}
	_, err := r.conn.one(ctx, "SELECT", strconv.Itoa(db))
	if err == nil {
		r.DB = db
	}
	return err
}
