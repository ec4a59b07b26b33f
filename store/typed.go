package store

// Get returns the value of type T (such as *Hash) under a key, nil if there is no such key. It may be changed only with
// ForWrite. A key of another type is ErrWrongType.
func Get[T Value](tx *Tx, key []byte, mode Mode) (T, error) {
	var none T
	e := tx.lookupUnchanged(key, mode)
	if e.n == nil {
		return none, nil
	}
	v, ok := e.n.val.value().(T)
	if !ok {
		return none, ErrWrongType
	}
	if mode&change != 0 {
		tx.beforeChange(e.n)
	}
	return v, nil
}

// GetOrCreate is Get with ForWrite that stores the value which create returns where the key is missing.
func GetOrCreate[T Value](tx *Tx, key []byte, create func() T) (T, error) {
	e := tx.lookupUnchanged(key, ForWrite)
	if e.n == nil {
		v := create()
		tx.link(key, v)
		return v, nil
	}
	v, ok := e.n.val.value().(T)
	if !ok {
		var none T
		return none, ErrWrongType
	}
	tx.beforeChange(e.n)
	return v, nil
}
