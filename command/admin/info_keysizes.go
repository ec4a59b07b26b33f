package admin

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/store"
)

// keySizes is how large the keys of a database are: by type, as in sizedTypes, and by the bits of their size, how many
// there are. A size is the length of a string, or the number of elements.
type keySizes [5][64]int

// sizedType is a type and its name in INFO.
type sizedType struct {
	typ  store.Type
	name string
}

// sizedTypes are in the order of Redis.
var sizedTypes = []sizedType{
	{store.TypeString, "strings_sizes"}, {store.TypeList, "lists_items"}, {store.TypeSet, "sets_items"},
	{store.TypeZSet, "zsets_items"}, {store.TypeHash, "hashes_items"},
}

// infoKeySizes writes a line for each type of which a database has keys: how many have at least a size, which is a
// power of two, and less than the next. Redis keeps these numbers at each change; here INFO counts.
func infoKeySizes(r *infoReport) {
	for db := range r.Env().Store.Databases() {
		sizes := sizesOf(r.Tx, db)
		for i, t := range sizedTypes {
			var bins []string
			for bin, n := range sizes[i] {
				if n > 0 {
					bins = append(bins, fmt.Sprintf("%s=%d", binName(bin), n))
				}
			}
			if bins != nil {
				r.line(fmt.Sprintf("db%d_distrib_%s", db, t.name), strings.Join(bins, ","))
			}
		}
	}
}

// sizesOf counts the keys of a database.
func sizesOf(tx *store.Tx, db int) (sizes keySizes) {
	tx.EachValue(db, func(v store.Value) {
		if i := slices.IndexFunc(sizedTypes, func(t sizedType) bool { return t.typ == v.Type() }); i >= 0 {
			sizes[i][bits.Len(uint(sizeOf(v)))]++
		}
	})
	return sizes
}

func sizeOf(v store.Value) int {
	if s, ok := v.(*store.String); ok {
		return len(s.Bytes())
	}
	return v.(interface{ Len() int }).Len()
}

// binName is the smallest size of so many bits, with a unit from 1024 on.
func binName(bin int) string {
	if bin == 0 {
		return "0"
	}
	const units, perUnit = "KMGTPE", 10
	if unit := (bin - 1) / perUnit; unit > 0 {
		return fmt.Sprintf("%d%c", 1<<((bin-1)%perUnit), units[unit-1])
	}
	return fmt.Sprint(1 << (bin - 1))
}
