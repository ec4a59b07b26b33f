package compat

import (
	"flag"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/luagen"
	"github.com/minilockd/minilockd/internal/testenv"
)

var tablePrograms = flag.Int("tables", 5_000, "random Lua programs about tables with holes to run on both servers")

// The length of lists with holes, the order of pairs, and the results of ipairs, unpack, insert, cjson and cmsgpack for
// both are as in Redis' Lua, where they depend on how a table grew.
func TestLuaTables_HolesAndOrder(t *testing.T) {
	total, seed := *tablePrograms, *randomSeed
	if !testenv.Long() {
		total = 2000
	}
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	d := luaComparison{t, dial(t, startReference(t)), dial(t, startTarget(t))}
	d.compare(seed, total, luagen.GenerateTables)
}
