package rdb

// Version is that of the format. It decides in which forms values are written, and which can be read.
type Version uint16

// The versions that emulated servers write, named after the first server that did.
const (
	Redis70 Version = 10
	Redis72 Version = 11 // adds sets as listpacks, and when a consumer of a stream was active
	Redis74 Version = 12 // adds the expiry of fields of hashes
	Valkey9 Version = 80 // adds the same in another form
)

// Reads reports whether a server of version v reads what one of version other has written. Valkey does not read what
// Redis writes since the two have parted.
func (v Version) Reads(other Version) bool {
	return other <= v && (v != Valkey9 || other > 0 && !other.ForeignToValkey())
}

// tries reports whether a server of version v tries to read a version that it should not. Valkey does since 9 also with
// those of Redis.
func (v Version) tries(other Version) bool {
	return other > 0 && (v == Valkey9 || !other.ForeignToValkey())
}

// ForeignToValkey reports whether only Redis writes the version, so that Valkey gives its types another meaning.
func (v Version) ForeignToValkey() bool { return v > Redis72 && v < Valkey9 }
