package store

import "errors"

// ErrWrongType is the reply of Redis to a command on a key of another type.
var ErrWrongType = errors.New("WRONGTYPE Operation against a key holding the wrong kind of value")
