package lockview

import (
	"slices"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/locks"
)

// hashState is what the hash of a lock tells.
type hashState struct {
	kind    locks.Kind // Plain also stands for fair and fenced locks
	mode    string
	holders []locks.Holder // without leases
}

// The fields that are not owners.
const (
	modeField   = "mode"
	writeSuffix = ":write"
	expireField = ":expire_time" // of a faster multi lock, after the value and the owner
	countField  = ":lock_count"
)

// decodeHash reads fields and values, in turn; ok is false if they are not those of a lock.
func decodeHash(elems []string) (s hashState, ok bool) {
	s.kind = locks.Plain
	for pair := range slices.Chunk(elems, 2) {
		if !s.add(pair[0], pair[1], elems) {
			return s, false
		}
	}
	slices.SortFunc(s.holders, func(a, b locks.Holder) int { return strings.Compare(a.Owner+a.Value, b.Owner+b.Value) })
	return s, len(s.holders) > 0 || s.kind == locks.RateLimiter
}

// add reads one field.
func (s *hashState) add(field, value string, elems []string) bool {
	switch {
	case field == modeField && (value == "read" || value == "write"):
		s.kind, s.mode = locks.ReadWrite, value
		return true
	case field == "rate" || field == "interval" || field == "type" || field == "keepAliveTime":
		s.kind = locks.RateLimiter
		return isDigits(value) && len(elems) >= 6
	case strings.HasSuffix(field, countField) || strings.HasSuffix(field, expireField):
		s.kind = locks.FasterMulti
		return true
	case isOwner(value):
		s.kind = locks.FasterMulti
		holds, _ := strconv.ParseInt(valueOf(elems, field+":"+value+countField), 10, 64)
		s.holders = append(s.holders, locks.Holder{Owner: value, Value: field, Holds: max(holds, 1)})
		return true
	}
	owner, write := strings.CutSuffix(field, writeSuffix)
	holds, err := strconv.ParseInt(value, 10, 64)
	if err != nil || holds <= 0 || !isOwner(owner) {
		return false
	}
	s.holders = append(s.holders, locks.Holder{Owner: owner, Holds: holds, Write: write})
	return true
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
