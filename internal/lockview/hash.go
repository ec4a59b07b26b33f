package lockview

import (
	"slices"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/locks"
)

// hashDecoder finds out what the hash of a lock says, from its fields in any order.
type hashDecoder struct {
	kind    locks.Kind // Plain also stands for fair and fenced locks
	mode    string
	holders []locks.Holder // without leases

	get  func(field string) string // the value of a field, "" if there is none
	keep func(text string) string  // a copy of a text that may change; nil if none does
}

// The fields that are not owners.
const (
	modeField   = "mode"
	writeSuffix = ":write"
	expireField = ":expire_time" // of a faster multi lock, after the value and the owner
	countField  = ":lock_count"
)

// decodeHash reads fields and values, in turn; ok is false if they are not those of a lock.
func decodeHash(elems []string) (d hashDecoder, ok bool) {
	d.get = func(field string) string { return valueOf(elems, field) }
	for pair := range slices.Chunk(elems, 2) {
		if !d.add(pair[0], pair[1]) {
			return d, false
		}
	}
	return d, d.end()
}

// add reads one field. It returns false if the hash is none of a lock.
func (d *hashDecoder) add(field, value string) bool {
	switch {
	case field == modeField && (value == "read" || value == "write"):
		d.kind, d.mode = locks.ReadWrite, d.copyOf(value)
		return true
	case field == "rate" || field == "interval" || field == "type" || field == "keepAliveTime":
		d.kind = locks.RateLimiter
		return isDigits(value)
	case strings.HasSuffix(field, countField) || strings.HasSuffix(field, expireField):
		d.kind = locks.FasterMulti
		return true
	case isOwner(value):
		d.kind = locks.FasterMulti
		holds, _ := strconv.ParseInt(d.get(field+":"+value+countField), 10, 64)
		d.holders = append(d.holders, locks.Holder{Owner: d.copyOf(value), Value: d.copyOf(field), Holds: max(holds, 1)})
		return true
	}
	owner, write := strings.CutSuffix(field, writeSuffix)
	holds, err := strconv.ParseInt(value, 10, 64)
	if err != nil || holds <= 0 || !isOwner(owner) {
		return false
	}
	d.holders = append(d.holders, locks.Holder{Owner: d.copyOf(owner), Holds: holds, Write: write})
	return true
}

// end returns false if the fields that were added are none of a lock.
func (d *hashDecoder) end() bool {
	switch d.kind {
	case locks.RateLimiter:
		return d.get("rate") != "" && d.get("interval") != "" && d.get("type") != ""
	case "":
		d.kind = locks.Plain
	}
	if len(d.holders) > 1 {
		slices.SortFunc(d.holders, func(a, b locks.Holder) int {
			return strings.Compare(a.Owner+a.Value, b.Owner+b.Value)
		})
	}
	return len(d.holders) > 0
}

func (d *hashDecoder) copyOf(text string) string {
	if d.keep == nil {
		return text
	}
	return d.keep(text)
}

// valueOf returns the value of a field, "" if there is none.
func valueOf(elems []string, field string) string {
	for i := 0; i+1 < len(elems); i += 2 {
		if elems[i] == field {
			return elems[i+1]
		}
	}
	return ""
}
