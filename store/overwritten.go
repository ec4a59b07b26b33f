package store

// Overwritten says what a new value of a key has replaced.
type Overwritten uint8

// What a value replaces.
const (
	Nothing   Overwritten = iota // the key is new
	SameType                     // a value of the same type
	OtherType                    // a value of another type
)

// SetOverwriteEvents lets keys whose values are replaced have the events "overwritten" and "type_changed". Call it
// before the store is used.
func (st *Store) SetOverwriteEvents(on bool) { st.overwriteEvents = on }

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
	if !tx.store.overwriteEvents || old == Nothing {
		return
	}
	tx.notify(EventOverwritten, "overwritten", tx.db, key)
	if old == OtherType {
		tx.notify(EventTypeChanged, "type_changed", tx.db, key)
	}
}
