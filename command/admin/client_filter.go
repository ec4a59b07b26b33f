package admin

import (
	"net"
	"slices"
	"strings"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/words"
)

// clientFilter says which clients CLIENT LIST shows and CLIENT KILL closes: those that pass all tests.
type clientFilter struct {
	call   *command.Call
	tests  map[string]clientTest // by the filter's name: if one is given twice, the last one counts
	ids    map[string][]int64    // of the filters ID and NOT-ID
	skipMe bool                  // SKIPME
}

// clientTest reports whether a client passes.
type clientTest func(s *command.Session) bool

// testReader reads the value of a filter. name is that of the filter in upper case, for errors.
type testReader func(c *command.Call, name string, value []byte) (clientTest, error)

var clientFilters = map[string]testReader{
	"type":     typeTest,
	"user":     userTest,
	"addr":     textTest(func(s *command.Session) string { return s.Addr }),
	"laddr":    textTest(func(s *command.Session) string { return s.LocalAddr }),
	"ip":       textTest(clientIP),
	"name":     textTest((*command.Session).Name),
	"lib-name": textTest((*command.Session).LibName),
	"lib-ver":  textTest((*command.Session).LibVersion),
	"flags":    lettersTest("bcdeirtuxABEIMNOPRSTU", "flags", (*command.Session).FlagLetters),
	"capa":     lettersTest("r", "capa", (*command.Session).Capabilities),
	"db":       databaseTest,
	"maxage":   secondsTest((*command.Session).Age),
	"idle":     secondsTest((*command.Session).Idle),
}

// withoutNot are the filters that have no negative form.
var withoutNot = []string{"maxage", "idle"}

func newClientFilter(c *command.Call) *clientFilter {
	return &clientFilter{call: c, tests: make(map[string]clientTest), ids: make(map[string][]int64)}
}

// read reads the filters from argument i on, each with its value.
func (f *clientFilter) read(i int) error {
	for c := f.call; i < c.Len(); i += 2 {
		name := strings.ToLower(string(c.Arg(i)))
		var err error
		switch {
		case c.Cmd.Lacks(name):
			err = command.ErrSyntax
		case (name == "id" || name == "not-id") && c.Does(emulate.ClientsFiltered):
			var count int
			count, err = f.readIDs(name, i+1)
			i += count - 1
		case i+1 == c.Len():
			err = command.ErrSyntax
		case name == "id":
			err = f.readID(i + 1)
		case name == "skipme" && (c.Is(i+1, "yes") || c.Is(i+1, "no")):
			f.skipMe = c.Is(i+1, "yes")
		default:
			err = f.readTest(name, c.Arg(i+1))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readTest adds the test of a filter.
func (f *clientFilter) readTest(name string, value []byte) error {
	plain, not := strings.CutPrefix(name, "not-")
	read := clientFilters[plain]
	if read == nil || not && slices.Contains(withoutNot, plain) {
		return command.ErrSyntax
	}
	test, err := read(f.call, strings.ToUpper(name), value)
	if not && err == nil {
		passes := test
		test = func(s *command.Session) bool { return !passes(s) }
	}
	f.tests[name] = test
	return err
}

// readID reads the one value of ID.
func (f *clientFilter) readID(i int) error {
	id, err := command.ParseInt(f.call.Arg(i))
	if err != nil || id < 1 {
		return errKillID
	}
	f.ids["id"] = []int64{id}
	return nil
}

// readIDs reads the values of ID or NOT-ID from argument i on, up to one that is no integer, and returns their number,
// which may be 0.
func (f *clientFilter) readIDs(name string, i int) (count int, err error) {
	f.ids[name] = append([]int64{}, f.ids[name]...)
	for first := i; ; i++ {
		if i == f.call.Len() {
			return i - first, nil
		}
		id, err := command.ParseInt(f.call.Arg(i))
		switch {
		case err != nil:
			return i - first, nil
		case id < 1:
			return 0, errKillID
		}
		f.ids[name] = append(f.ids[name], id)
	}
}

// matches reports whether a session passes all tests. A killed session, which is still there until its connection
// closes, never does.
func (f *clientFilter) matches(s *command.Session) bool {
	ids, some := f.ids["id"]
	if some && !slices.Contains(ids, s.ID) || slices.Contains(f.ids["not-id"], s.ID) || f.skipMe && s == f.call.Session {
		return false
	}
	for _, passes := range f.tests {
		if !passes(s) {
			return false
		}
	}
	return !s.Killed()
}

// typeTest reads TYPE; "slave" is the old name of replica. The connection to a master is no client of this list.
func typeTest(c *command.Call, _ string, value []byte) (clientTest, error) {
	switch typ := strings.ToLower(string(value)); {
	case typ == "normal":
		return func(s *command.Session) bool { return !s.Subscribed() && !s.IsReplica() }, nil
	case typ == "pubsub":
		return (*command.Session).Subscribed, nil
	case typ == "replica", typ == "slave":
		return (*command.Session).IsReplica, nil
	case typ == "master", typ == "primary" && !c.Cmd.Lacks(typ):
		return func(*command.Session) bool { return false }, nil
	}
	return nil, words.Errorf("ERR Unknown client type '%s'", value)
}

// userTest reads USER.
func userTest(c *command.Call, _ string, value []byte) (clientTest, error) {
	u := c.Env().ACL.Get(string(value))
	if u == nil {
		return nil, words.Errorf("ERR No such user '%s'", value)
	}
	return func(s *command.Session) bool { return s.User() == u }, nil
}

// textTest returns the reader of a filter for a text. The empty text fits no client.
func textTest(text func(*command.Session) string) testReader {
	return func(_ *command.Call, _ string, value []byte) (clientTest, error) {
		wanted := string(value)
		return func(s *command.Session) bool { return wanted != "" && text(s) == wanted }, nil
	}
}

// clientIP returns the address of the client without its port.
func clientIP(s *command.Session) string {
	host, _, err := net.SplitHostPort(s.Addr)
	if err != nil {
		return s.Addr
	}
	return host
}

// lettersTest returns the reader of a filter for letters, all of which the client must have.
func lettersTest(known, what string, letters func(*command.Session) string) testReader {
	return func(_ *command.Call, name string, value []byte) (clientTest, error) {
		wanted := words.UntilNUL(string(value))
		if strings.Trim(wanted, known) != "" {
			where := "provided"
			if strings.HasPrefix(name, "NOT-") {
				where = name
			}
			return nil, words.Errorf("ERR Unknown %s found in the %s filter: %s", what, where, wanted)
		}
		return func(s *command.Session) bool { return hasLetters(letters(s), wanted) }, nil
	}
}

func hasLetters(letters, wanted string) bool {
	for i := range len(wanted) {
		if strings.IndexByte(letters, wanted[i]) < 0 {
			return false
		}
	}
	return true
}

// databaseTest reads DB.
func databaseTest(c *command.Call, name string, value []byte) (clientTest, error) {
	db, err := command.ParseInt(value)
	last := int64(c.Env().Store.Databases() - 1)
	switch {
	case err != nil || db != int64(int32(db)):
		return nil, words.Errorf("ERR %s is not an integer or out of range", name)
	case db < 0 || db > last:
		return nil, words.Errorf("ERR %s number should be between 0 and %d", name, last)
	}
	return func(s *command.Session) bool { return s.DB() == db }, nil
}

// secondsTest returns the reader of a filter for clients with at least so many seconds of something.
func secondsTest(seconds func(*command.Session, time.Time) int64) testReader {
	return func(c *command.Call, name string, value []byte) (clientTest, error) {
		least, err := command.ParseInt(value)
		switch name = strings.ToLower(name); {
		case err != nil:
			return nil, words.Errorf("ERR %s is not an integer or out of range", name)
		case least < 1:
			return nil, words.Errorf("ERR %s should be greater than 0", name)
		}
		now := c.Tx.Time()
		return func(s *command.Session) bool { return seconds(s, now) >= least }, nil
	}
}
