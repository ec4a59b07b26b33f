package lockview

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/store"
)

// hashDecoder finds out what the hash of a lock says, from its fields in any order. Its memory may serve for another
// hash after reset.
type hashDecoder struct {
	kind    locks.Kind // Plain also stands for fair and fenced locks
	mode    string
	holders []hold

	fields fields
	known  []holder // whose names need no copy
}

// hold is what the data of a lock tells of a holder: see locks.Holder.
type hold struct {
	owner, value string
	holds        int64
	write        bool
}

// compare orders the holders of a lock.
func (h *hold) compare(other *hold) int {
	write := func(h *hold) int {
		if h.write {
			return 1
		}
		return 0
	}
	return cmp.Or(strings.Compare(h.owner, other.owner), strings.Compare(h.value, other.value), write(h)-write(other))
}

// expiryField is the field with the deadline of a holder of a faster multi lock.
func (h *hold) expiryField() string { return h.value + ":" + h.owner + expireField }

// fields are those of the hash that is decoded.
type fields interface {
	get(field string) string // "" if the hash does not have the field
	copyOf(text string) string
}

// The fields that are not owners.
const (
	modeField   = "mode"
	writeSuffix = ":write"
	expireField = ":expire_time" // of a faster multi lock, after the value and the owner
	countField  = ":lock_count"
)

// decode reads fields and values, in turn. It returns false if they are not those of a lock.
func (d *hashDecoder) decode(elems []string) bool {
	d.reset(&textFields{elems: elems}, nil)
	for i := 0; i+1 < len(elems); i += 2 {
		if !d.add(elems[i], elems[i+1]) {
			return false
		}
	}
	return d.end()
}

// reset makes the decoder read the hash with these fields.
func (d *hashDecoder) reset(f fields, known []holder) {
	*d = hashDecoder{holders: d.holders[:0], fields: f, known: known}
}

// add reads one field. It returns false if the hash is not that of a lock.
func (d *hashDecoder) add(field, value string) bool {
	if h := find(d.known, &hold{owner: field}); h != nil { // as most fields are
		return d.addHolds(h.owner, value, false)
	}
	switch {
	case field == modeField && (value == "read" || value == "write"):
		d.kind, d.mode = locks.ReadWrite, d.fields.copyOf(value)
		return true
	case strings.HasSuffix(field, countField) || strings.HasSuffix(field, expireField):
		d.kind = locks.FasterMulti
		return true
	case isOwner(value):
		d.kind = locks.FasterMulti
		holds, _ := strconv.ParseInt(d.fields.get(field+":"+value+countField), 10, 64)
		d.holders = append(d.holders, hold{owner: d.copyOf(value), value: d.fields.copyOf(field), holds: max(holds, 1)})
		return true
	case field == "rate" || field == "interval" || field == "type" || field == "keepAliveTime":
		d.kind = locks.RateLimiter
		return isDigits(value)
	}
	owner, write := strings.CutSuffix(field, writeSuffix)
	return isOwner(owner) && d.addHolds(d.copyOf(owner), value, write)
}

// addHolds adds a holder of a lock whose fields are owners.
func (d *hashDecoder) addHolds(owner, value string, write bool) bool {
	holds, err := strconv.ParseInt(value, 10, 64)
	if err != nil || holds <= 0 {
		return false
	}
	d.holders = append(d.holders, hold{owner: owner, holds: holds, write: write})
	return true
}

// end returns false if the fields that were added are not those of a lock.
func (d *hashDecoder) end() bool {
	switch d.kind {
	case locks.RateLimiter:
		return d.fields.get("rate") != "" && d.fields.get("interval") != "" && d.fields.get("type") != ""
	case "":
		d.kind = locks.Plain
	case locks.ReadWrite:
		if d.readerHolds() > MaxElems {
			return false
		}
	}
	if len(d.holders) > 1 {
		slices.SortFunc(d.holders, func(a, b hold) int { return a.compare(&b) })
	}
	return len(d.holders) > 0
}

// readerHolds returns how many holds readers have: each has a key of its own, so a lock cannot have any number of them.
func (d *hashDecoder) readerHolds() (n int64) {
	for _, h := range d.holders {
		if !h.write {
			n += min(h.holds, MaxElems+1)
		}
	}
	return n
}

// copyOf returns a copy of the name of an owner.
func (d *hashDecoder) copyOf(owner string) string {
	i, _ := slices.BinarySearchFunc(d.known, owner, func(h holder, owner string) int {
		return strings.Compare(h.owner, owner)
	})
	if i < len(d.known) && d.known[i].owner == owner {
		return d.known[i].owner
	}
	return d.fields.copyOf(owner)
}

// textFields are fields and values, in turn.
type textFields struct {
	elems []string
	index map[string]string // made when a field is asked for: most locks need none
}

func (f *textFields) get(field string) string {
	if f.index == nil {
		f.index = make(map[string]string, len(f.elems)/2)
		for i := 0; i+1 < len(f.elems); i += 2 {
			f.index[f.elems[i]] = f.elems[i+1]
		}
	}
	return f.index[field]
}

func (*textFields) copyOf(text string) string { return text }

// hashFields are those of a hash of this server, whose memory may change.
type hashFields struct{ *store.Hash }

func (f hashFields) get(field string) string {
	value, _ := f.Get([]byte(field))
	return string(value)
}

func (f hashFields) copyOf(text string) string { return strings.Clone(text) }
