package store

// Overwritten says what a new value of a key has replaced.
type Overwritten uint8

// What a value replaces.
const (
	Nothing   Overwritten = iota // the key is new
	SameType                     // a value of the same type
	OtherType                    // a value of another type
)

// SetOverwriteEvents lets keys whose values are replaced have the events "overwritten" and "type_changed", while wanted
// returns true. The store asks at each replacement. Call SetOverwriteEvents before the store is used.
func (st *Store) SetOverwriteEvents(wanted func() bool) { st.wantsOverwritten = wanted }

// overwrites says what a value for the key of n, which may be nil, replaces.
func overwrites(n *node[item], val Value) Overwritten {
	switch {
	case n == nil:
		return Nothing
	case n.val.kind() == kindOf(val):
		return SameType
	}
	return OtherType
}

// ReportOverwritten sends the events of a key whose value has been replaced. Put and SetString have done it themselves.
func (tx *Tx) ReportOverwritten(key []byte, old Overwritten) {
	if wanted := tx.store.wantsOverwritten; wanted != nil && old != Nothing && wanted() {
		tx.sendOverwritten(key, old)
	}
}

func (tx *Tx) sendOverwritten(key []byte, old Overwritten) {
	tx.notify(EventOverwritten, "overwritten", tx.db, key)
	if old == OtherType {
		tx.notify(EventTypeChanged, "type_changed", tx.db, key)
	}
}
