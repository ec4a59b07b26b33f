package data

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// XSETID (command page) sets the last id of a stream and, since Redis 7.0, what Redis would replicate with it: how
// many entries were ever added, and the highest id deleted. They must agree with the entries that exist.

// What XSETID may not say. errXsetidDeleted is found while the options are parsed, the two that depend on the stream
// last.
var (
	errAddedNegative = errors.New("ERR entries_added must be positive")
	errXsetidSmall   = errors.New("ERR The ID specified in XSETID is smaller than the target stream top item")
	errXsetidDeleted = errors.New("ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id")
	errXsetidCurrent = errors.New("ERR The ID specified in XSETID is smaller than current max_deleted_entry_id")
	errXsetidLength  = errors.New("ERR The entries_added specified in XSETID is smaller than the target stream length")
)

// xsetidOptions are the arguments of XSETID.
type xsetidOptions struct {
	last       store.StreamID
	added      int64          // ENTRIESADDED, -1 if not given
	maxDeleted store.StreamID // MAXDELETEDID, 0-0 if not given
}

// parseXsetid parses the last id and the options, each followed by its value.
func parseXsetid(c *command.Call) (o xsetidOptions, err error) {
	o.added = -1
	if o.last, err = parseStreamID(c.Arg(2), 0); err != nil {
		return o, err
	}
	for i := 3; i < c.Len(); i += 2 {
		if err := o.parseOption(c, i); err != nil {
			return o, err
		}
	}
	return o, nil
}

// parseOption reads the option at argument i and its value.
func (o *xsetidOptions) parseOption(c *command.Call, i int) (err error) {
	switch {
	case i+1 < c.Len() && c.Is(i, "entriesadded"):
		if o.added, err = c.Int(i + 1); err == nil && o.added < 0 {
			err = errAddedNegative
		}
	case i+1 < c.Len() && c.Is(i, "maxdeletedid"):
		if o.maxDeleted, err = parseStreamID(c.Arg(i+1), 0); err == nil && o.last.Compare(o.maxDeleted) < 0 {
			err = errXsetidDeleted
		}
	default:
		err = command.ErrSyntax
	}
	return err
}

// xsetid implements XSETID key last-id [ENTRIESADDED n] [MAXDELETEDID id]. It parses all options before it looks the
// key up, which must exist. The event "xsetid" does not modify the key for WATCH.
func xsetid(c *command.Call) resp.Value {
	o, err := parseXsetid(c)
	if err != nil {
		return c.Fail(err)
	}
	s, err := writeStream(c, c.Key(1))
	if err != nil || s == nil {
		return c.FailOr(err, c.Fail(command.ErrNoSuchKey))
	}
	if c.Does(emulate.XsetidHeedsDeleted) && o.last.Compare(s.MaxDeletedID()) < 0 {
		return c.Fail(errXsetidCurrent)
	}
	if err := o.apply(s); err != nil {
		return c.Fail(err)
	}
	groupChanged(c, c.Key(1), "xsetid")
	return resp.OK
}

// apply sets the values, unless they contradict the entries of the stream.
func (o *xsetidOptions) apply(s *store.Stream) error {
	// An empty stream takes any id: Redis compares only with entries that exist.
	if top, ok := s.Top(); ok {
		switch {
		case o.last.Compare(top) < 0:
			return errXsetidSmall
		case o.added >= 0 && o.added < int64(s.Len()):
			return errXsetidLength
		}
	}
	maxDeleted, added := s.MaxDeletedID(), s.EntriesAdded()
	if o.maxDeleted != (store.StreamID{}) {
		maxDeleted = o.maxDeleted
	}
	if o.added >= 0 {
		added = uint64(o.added)
	}
	s.Describe(o.last, maxDeleted, added)
	return nil
}
