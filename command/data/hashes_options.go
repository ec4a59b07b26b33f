package data

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/store"
)

// Valkey reads the options of HEXPIRE, HGETEX and HSETEX as those of EXPIRE, GETEX and SET: in any order up to FIELDS,
// and several times if they are equal (emulate.FieldOptionsLikeSet). It reads all arguments before it looks the hash
// up, but for the number of an expiry.

// errFieldsMismatch is for a numfields that is not the number of the fields, and for FIELDS that is missing.
var errFieldsMismatch = errors.New("ERR numfields should be greater than 0 and match the provided number of fields")

// indexOfFields returns the position of FIELDS, 0 if there is none with an argument behind it.
func indexOfFields(c *command.Call, from int) int {
	for i := from; i < c.Len()-1; i++ {
		if c.Is(i, "fields") {
			return i
		}
	}
	return 0
}

// countedFields reads numfields, behind FIELDS at argument at, and as many fields of width arguments.
func countedFields(c *command.Call, at, width int, mismatch error) ([][]byte, error) {
	if at == 0 {
		return nil, mismatch
	}
	n, err := c.Int(at + 1)
	rest := c.Rest(at + 2)
	switch {
	case err != nil:
		return nil, err
	case n < 1 || n > int64(len(rest)) || int(n)*width != len(rest):
		return nil, mismatch
	}
	return rest, nil
}

// hashWithFields returns the hash of argument 1, nil if it is missing, and the fields that begin with FIELDS at
// argument 2. mismatch is Valkey's error for another number of them.
func hashWithFields(c *command.Call, mode store.Mode, mismatch error) (h *store.Hash, list [][]byte, err error) {
	if !c.Does(emulate.FieldOptionsLikeSet) {
		if h, err = store.Get[*store.Hash](c.Tx, c.Key(1), mode); err == nil {
			list, err = fields(c, 2, errFieldsNumber)
		}
		return h, list, err
	}
	if !c.Is(2, "fields") {
		return nil, nil, command.ErrSyntax
	}
	if list, err = countedFields(c, 2, 1, mismatch); err == nil {
		h, err = store.Get[*store.Hash](c.Tx, c.Key(1), mode)
	}
	return h, list, err
}

// fieldExpiryLikeSet is fieldExpiry without a limit but that of int64.
func fieldExpiryLikeSet(c *command.Call, i int, unit expiryUnit) (when int64, err error) {
	when, err = expiry(c, i, unit)
	if n, _ := c.Int(i); err == nil && n < 0 {
		err = command.ErrInvalidExpire(c.Cmd)
	}
	return when, err
}

// parseHExpireLikeSet parses the arguments of HEXPIRE, the time at last.
func parseHExpireLikeSet(c *command.Call, unit expiryUnit) (o expireFieldsOptions, err error) {
	at := indexOfFields(c, 3)
	if at != 0 {
		if o.cond, err = parseExpireCondition(c, 3, at); err != nil {
			return o, err
		}
	}
	if o.fields, err = countedFields(c, at, 1, errFieldsMismatch); err != nil {
		return o, err
	}
	o.when, err = fieldExpiryLikeSet(c, 2, unit)
	return o, err
}

// parseLikeSet parses the options of HGETEX and HSETEX and the fields, each of width arguments, but not the number of
// the expiry. As in Valkey, a key that is named fields counts as the word FIELDS.
func parseLikeSet(c *command.Call, takes optionSet, width int) (o setOptions, fields [][]byte, err error) {
	at := indexOfFields(c, 1)
	if at != 0 {
		if o, err = parseSetOptions(c, 2, at, takes); err != nil {
			return o, nil, err
		}
	}
	fields, err = countedFields(c, at, width, errFieldsMismatch)
	return o, fields, err
}

// hgetexLikeSet looks the hash of HGETEX up after it has read all but the number of the expiry.
func hgetexLikeSet(c *command.Call) (h *store.Hash, o getExOptions, err error) {
	options, fields, err := parseLikeSet(c, optionsOfGetEx, 1)
	if err != nil {
		return nil, o, err
	}
	if h, err = writeHash(c, c.Key(1)); err != nil {
		return nil, o, err
	}
	if h == nil {
		c.Tx.Lookup(c.Key(1), store.ForRead) // a missing hash counts as one that is read
	}
	o = getExOptions{persist: options.persist, expires: options.at != 0, fields: fields}
	if o.expires {
		o.when, err = fieldExpiryLikeSet(c, options.at, options.unit)
	}
	return h, o, err
}

// hsetexLikeSet looks the hash of HSETEX up, and checks NX and XX, which are about the key, after it has read all but
// the number of the expiry. It reports whether they hold.
func hsetexLikeSet(c *command.Call) (h *store.Hash, o setExOptions, holds bool, err error) {
	options, pairs, err := parseLikeSet(c, optionsOfHSetEx, 2)
	if err != nil {
		return nil, o, false, err
	}
	if h, err = writeHash(c, c.Key(1)); err != nil || options.nx && h != nil || options.xx && h == nil {
		return nil, o, false, err
	}
	o = setExOptions{conditional: options.fnx || options.fxx, exist: options.fxx, keepTTL: options.keepTTL,
		expires: options.at != 0, pairs: pairs}
	if o.expires {
		o.when, err = fieldExpiryLikeSet(c, options.at, options.unit)
	}
	return h, o, err == nil, err
}
