package lualib

import lua "github.com/yuin/gopher-lua"

// Keys appends to dst the keys of t in the order in which Lua 5.1 walks a table: the array part, then the hash slots. cjson
// and cmsgpack write tables in that order, so it is part of their output. See [slots] for how it is found.
func Keys(dst []lua.LValue, t *lua.LTable) []lua.LValue {
	start := len(dst)
	for i, n := 1, t.Len(); i <= n; i++ {
		if t.RawGetInt(i) != lua.LNil {
			dst = append(dst, number(float64(i)))
		}
	}
	hash := len(dst)
	for k, _ := firstHash(t); k != lua.LNil; k, _ = t.Next(k) {
		dst = append(dst, k)
	}
	if len(dst) > hash && len(dst)-start > 1 {
		order(dst[start:])
	}
	return dst
}

// firstHash returns the first entry of t that gopher-lua does not keep in the array part. The others follow by t.Next.
func firstHash(t *lua.LTable) (k, v lua.LValue) {
	if n := t.Len(); n > 0 {
		return t.Next(number(float64(n)))
	}
	return t.Next(lua.LNil)
}

// order sorts keys, given in the order in which they were set, into the order of Lua's table.
func order(keys []lua.LValue) {
	s := slots{keys: keys}
	for i := range keys {
		s.insert(int32(i))
	}
	sorted := make([]lua.LValue, 0, len(keys))
	for _, i := range s.array {
		if i != empty {
			sorted = append(sorted, keys[i])
		}
	}
	for _, n := range s.nodes {
		if n.key != empty {
			sorted = append(sorted, keys[n.key])
		}
	}
	copy(keys, sorted)
}
