package data

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/store"
)

// While nothing expires by itself (DEBUG SET-ACTIVE-EXPIRE, CLIENT PAUSE), hashes hide fields whose time has come. The
// servers differ in what then removes them: emulate.NamedFieldsExpire.

// readNamed is readHash for a command that reads these fields.
func readNamed(c *command.Call, fields [][]byte) (*store.Hash, error) {
	h, err := readHash(c, c.Key(1))
	return expireNamed(c, c.Key(1), h, fields), err
}

// expireNamed returns a hash, which may be nil, for a command that reads fields: nil if it is gone since all were
// hidden and had these names.
func expireNamed(c *command.Call, key []byte, h *store.Hash, fields [][]byte) *store.Hash {
	if h == nil || !h.Hides() || !c.Does(emulate.NamedFieldsExpire) || !c.Tx.ExpireHidden(key, h, fields, false) {
		return h
	}
	return nil
}

// makeHashFor is makeHash for a command that reads the field, and then sets it.
func makeHashFor(c *command.Call, key, field []byte) (*store.Hash, error) {
	h, err := makeHash(c, key)
	if err == nil && h.Hides() && c.Tx.ExpireHidden(key, h, [][]byte{field}, !c.Does(emulate.NamedFieldsExpire)) {
		return makeHash(c, key)
	}
	return h, err
}

// hashToPick is readHash for a command that picks fields at random.
func hashToPick(c *command.Call) (*store.Hash, error) {
	h, err := readHash(c, c.Key(1))
	if h != nil && h.Hides() && c.Does(emulate.NamedFieldsExpire) && c.Tx.ExpireAllHidden(c.Key(1), h) {
		return nil, nil
	}
	return h, err
}

// replaceHidden prepares the hash of argument 1 for fields, each with a value behind it, that a command sets without
// reading them.
func replaceHidden(c *command.Call, h *store.Hash, pairs [][]byte) {
	if h.Hides() && !c.Does(emulate.NamedFieldsExpire) {
		c.Tx.ExpireHidden(c.Key(1), h, fieldsOf(pairs), true)
	}
}

// fieldsOf returns the fields of pairs of field and value.
func fieldsOf(pairs [][]byte) (fields [][]byte) {
	for i := 0; i < len(pairs); i += 2 {
		fields = append(fields, pairs[i])
	}
	return fields
}

// present reports whether a field is there for a command that deletes it or sets its expiry.
func present(c *command.Call, h *store.Hash, field []byte) bool {
	if h.Hides() && !c.Does(emulate.NamedFieldsExpire) {
		return !hashField(h, field).IsNull()
	}
	return h.Holds(field)
}
