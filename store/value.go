package store

// Type is the type of a value, by the name that TYPE gives it.
type Type string

// The types of Redis.
const (
	TypeString Type = "string"
	TypeHash   Type = "hash"
	TypeList   Type = "list"
	TypeSet    Type = "set"
	TypeZSet   Type = "zset"
	TypeStream Type = "stream"
)

// IsType reports whether there is a type of that name.
func IsType(name string) bool {
	switch Type(name) {
	case TypeString, TypeHash, TypeList, TypeSet, TypeZSet, TypeStream:
		return true
	}
	return false
}

// Value is what a key holds: *String, *Hash, *List, *Set, *ZSet or *Stream.
type Value interface {
	// Type names the type.
	Type() Type
	// Clone copies the value in depth.
	Clone() Value
	// Weight is roughly what the value takes, in bytes. It is found in constant time.
	Weight() int

	// bind sets the thresholds of a value that enters a keyspace. A new one takes the form that they require.
	bind(*Thresholds)
}

// slotWeight is roughly what an element of a table takes in addition to its bytes: a node, and its share of the
// buckets.
const slotWeight = 64
