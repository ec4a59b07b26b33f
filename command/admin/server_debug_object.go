package admin

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/data"
	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/dump"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var (
	errNotListpack   = errors.New("ERR Not a listpack encoded object.")
	errNotQuicklist  = errors.New("ERR Not a quicklist encoded object.")
	errNotTable      = errors.New("ERR The value stored at the specified key is not represented using an hash table")
	errDebugDatabase = errors.New("ERR Out of range database")
	errPlainSize     = errors.New("ERR argument must be a memory value bigger than 1 and smaller than 4gb")
)

// debugEntry looks up the key in argument 2.
func debugEntry(c *command.Call) (e store.Entry, err error) {
	if e = c.Tx.Lookup(c.Key(2), store.Inspect); !e.Exists() {
		err = command.ErrNoSuchKey
	}
	return e, err
}

// debugObject describes a value as Redis does: DEBUG OBJECT key. serializedlength is the length in an RDB file. A key
// whose time has come is described, too, while it is there.
func debugObject(c *command.Call) resp.Value {
	e := c.Tx.LookupPresent(c.Key(2))
	if !e.Exists() {
		return c.Fail(command.ErrNoSuchKey)
	}
	v, thresholds := e.Value(), c.Env().Store.Thresholds()
	encoding := data.Encoding(c, e).Text()
	text := fmt.Sprintf("Value at:%p refcount:%d encoding:%s serializedlength:%d lru:%d lru_seconds_idle:%d",
		v, data.RefCount(c, e).Int(), encoding, len(dump.Piece(v, c.Env().Table.Server.RDB, thresholds))-1, c.Tx.LRU(e),
		c.Tx.Idle(e))
	if l, ok := v.(*store.List); ok && encoding == "quicklist" {
		nodes, size := dump.ListNodes(l, c.Env().Table.Server.RDB, thresholds)
		text += fmt.Sprintf(" ql_nodes:%d ql_avg_node:%.2f ql_listpack_max:%d ql_compressed:%d ql_uncompressed_size:%d",
			nodes, float64(l.Len())/float64(nodes), thresholds.ListSize.Load(), compressed(c), size)
	}
	return resp.Status(text)
}

// compressed is 1 if Redis would compress lists, which does not happen here, else 0.
func compressed(c *command.Call) int64 {
	depth, _ := strconv.ParseInt(c.Env().Config.Get("list-compress-depth"), 10, 64)
	return min(depth, 1)
}

func debugListpack(c *command.Call) resp.Value {
	return debugPrint(c, "listpack", errNotListpack, "Listpack structure printed on stdout")
}

func debugQuicklist(c *command.Call) resp.Value {
	return debugPrint(c, "quicklist", errNotQuicklist, "Quicklist structure printed on stdout")
}

// debugPrint writes a value to the log, in the form of DUMP, if it has the wanted encoding; else the error is
// otherwise.
func debugPrint(c *command.Call, wanted string, otherwise error, done string) resp.Value {
	e, err := debugEntry(c)
	if err == nil && strings.TrimSuffix(data.Encoding(c, e).Text(), "ex") != wanted {
		err = otherwise
	}
	if err != nil {
		return c.Fail(err)
	}
	piece := dump.Piece(e.Value(), c.Env().Table.Server.RDB, c.Env().Store.Thresholds())
	c.Env().Log.Info("DEBUG", "key", string(c.Key(2)), "encoding", wanted, "dump", fmt.Sprintf("%x", piece))
	return resp.Status(done)
}

// debugPlainSize sets from which size on an element of a list has a node of its own in DUMP. The size may have a unit,
// as in CONFIG SET; Redis accepts at most 4 GB less 1 MB. 0 restores the default.
func debugPlainSize(c *command.Call) resp.Value {
	const most = 1<<32 - 1<<20
	size, ok := config.ParseMemory(string(c.Arg(2)))
	if !ok || size > most {
		return c.Fail(errPlainSize)
	}
	if size == 0 {
		size = store.ListPlainDefault
	}
	c.Env().Store.Thresholds().ListPlain.Store(int64(size))
	return resp.OK
}

// debugHTStats returns statistics about the hash table of a database: DEBUG HTSTATS dbid. Its tables are one for each
// shard, reported as a single one.
func debugHTStats(c *command.Call) resp.Value {
	db, err := c.Int(2)
	switch {
	case err != nil:
		return c.Fail(err)
	case c.CheckDatabases(db) != nil:
		return c.Fail(errDebugDatabase)
	}
	expiring, _ := c.Tx.Expiring(int(db))
	return resp.Verbatim("txt", fmt.Sprintf("[Dictionary HT]\n%s[Timers]\n number of elements: %d\n",
		describeChains(c.Tx.KeyChains(int(db))), expiring))
}

// debugHTStatsKey returns statistics about the hash table of a value: DEBUG HTSTATS-KEY key. A value of another
// encoding is an error.
func debugHTStatsKey(c *command.Call) resp.Value {
	e, err := debugEntry(c)
	if err != nil {
		return c.Fail(err)
	}
	chains, ok := store.ChainsOf(e.Value())
	if !ok {
		return c.Fail(errNotTable)
	}
	return resp.Verbatim("txt", describeChains(chains))
}

// describeChains prints the lengths of the chains of a hash table in the words of Redis.
func describeChains(chains store.Chains) string {
	var b strings.Builder
	b.WriteString("Hash table 0 stats (main hash table):\n")
	elements, buckets := chains.Elements(), chains.Buckets()
	if elements == 0 {
		return b.String() + "No stats available for empty dictionaries\n"
	}
	used := buckets - chains[0]
	fmt.Fprintf(&b, " table size: %d\n number of elements: %d\n different slots: %d\n max chain length: %d\n",
		buckets, elements, used, len(chains)-1)
	fmt.Fprintf(&b, " avg chain length (counted): %.2f\n avg chain length (computed): %.2f\n Chain length "+
		"distribution:\n",
		float64(elements)/float64(used), float64(elements)/float64(used))
	for length, n := range chains {
		if n > 0 {
			fmt.Fprintf(&b, "   %d: %d (%.2f%%)\n", length, n, 100*float64(n)/float64(buckets))
		}
	}
	return b.String()
}
