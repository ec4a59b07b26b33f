package luaeval

import "maps"

// layered is an immutable map for many additions one by one: it shares most of its entries with the map that it was
// made from. The zero value is empty.
type layered[V any] struct {
	base, top map[string]V // top has the last additions
}

// maxTop is the number of entries in top, which every addition copies.
const maxTop = 256

// get returns the value of a key, the zero value if there is none.
func (l *layered[V]) get(key string) V {
	if v, ok := l.top[key]; ok {
		return v
	}
	return l.base[key]
}

// with returns the map with one more entry.
func (l layered[V]) with(key string, value V) layered[V] {
	top := maps.Clone(l.top)
	if top == nil {
		top = make(map[string]V)
	}
	top[key] = value
	if len(top) <= maxTop {
		return layered[V]{base: l.base, top: top}
	}
	base := maps.Clone(l.base)
	if base == nil {
		base = make(map[string]V)
	}
	maps.Copy(base, top)
	return layered[V]{base: base}
}

// without returns the map without the entries that drop selects.
func (l layered[V]) without(drop func(V) bool) layered[V] {
	base, top := maps.Clone(l.base), maps.Clone(l.top)
	for _, layer := range []map[string]V{base, top} {
		maps.DeleteFunc(layer, func(_ string, v V) bool { return drop(v) })
	}
	return layered[V]{base: base, top: top}
}
