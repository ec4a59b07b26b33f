package store

// Typed access. The read forms return nil for a missing key; the write forms keep the pre-image that undo needs, so a
// handler changes a value only after asking for it to write. All return ErrWrongType for a key of another type.

func typed[T Value](tx *Tx, key []byte) (T, *node[item], error) {
	var none T
	e := tx.Find(key)
	if e.n == nil {
		return none, nil, nil
	}
	tx.markUsed(e.n)
	v, ok := e.n.val.value().(T)
	if !ok {
		return none, nil, ErrWrongType
	}
	return v, e.n, nil
}

// Read returns the value of type T (such as *Hash) under a key, to be looked at only. That there is no such key is an
// event.
func Read[T Value](tx *Tx, key []byte) (T, error) {
	v, n, err := typed[T](tx, key)
	tx.countLookup(key, n != nil || err != nil)
	return v, err
}

// Peek is Read for a command that would go on to write: that there is no such key is no event.
func Peek[T Value](tx *Tx, key []byte) (T, error) {
	v, _, err := typed[T](tx, key)
	return v, err
}

// Write returns the value of type T under a key, to be changed; nil if the key is missing.
func Write[T Value](tx *Tx, key []byte) (T, error) {
	v, n, err := typed[T](tx, key)
	if n != nil {
		tx.beforeChange(n)
	}
	return v, err
}

// Make is Write that stores the value made by create where the key is missing.
func Make[T Value](tx *Tx, key []byte, create func() T) (T, error) {
	v, n, err := typed[T](tx, key)
	if err != nil {
		return v, err
	}
	if n == nil {
		v = create()
		tx.link(key, v)
		return v, nil
	}
	tx.beforeChange(n)
	return v, nil
}
