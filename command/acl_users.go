package command

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/pubsub"
)

// aclUser is somebody whom clients may be. What he may do is replaced as a whole.
type aclUser struct {
	name  string
	rules atomic.Pointer[aclRules]
	// limits is the rules again, or nil if they forbid nothing: all that a command costs then is to see that.
	limits atomic.Pointer[aclRules]
}

// aclRules is what is known of a user. It does not change once it is that of a user.
type aclRules struct {
	enabled   bool
	noPass    bool
	payload   string         // sanitize-payload or skip-sanitize-payload, where one was given
	passwords []string       // hashes
	selectors []*aclSelector // at least one

	from *acl
}

// newRules is those of a new user, who may do nothing, but for what acl-pubsub-default gives him.
func (a *acl) newRules() *aclRules {
	return &aclRules{selectors: []*aclSelector{a.newSelector()}, from: a}
}

func (a *acl) newSelector() *aclSelector {
	s := &aclSelector{table: a.table}
	if a.config.openChannels.Load() {
		s.channels = []string{anyPattern}
	}
	return s
}

func (u *aclRules) clone() *aclRules {
	c := *u
	c.passwords = slices.Clone(u.passwords)
	c.selectors = make([]*aclSelector, len(u.selectors))
	for i, s := range u.selectors {
		c.selectors[i] = s.clone()
	}
	return &c
}

func (u *aclUser) set(rules *aclRules) {
	u.rules.Store(rules)
	if slices.ContainsFunc(rules.selectors, (*aclSelector).unlimited) {
		rules = nil
	}
	u.limits.Store(rules)
}

// check reports what forbids the call, and the position of the word that does.
func (u *aclRules) check(cmd *Command, args [][]byte) (why denial, pos int) {
	for _, s := range u.selectors {
		denied, at := s.check(cmd, args)
		if denied == denyNothing {
			return denyNothing, 0
		}
		if denied > why || denied == why && at > pos {
			why, pos = denied, at
		}
	}
	return why, pos
}

// acl is the users of a server, and what they were refused. It is safe for concurrent use.
type acl struct {
	defaultUser *aclUser
	open        atomic.Bool // clients need not say who they are
	log         aclLog
	table       *Table
	config      *Config

	mu    sync.Mutex // guards users
	users map[string]*aclUser
}

// init makes the default user, who may do everything and has the password that is configured, if any.
func (a *acl) init(t *Table, config *Config) {
	a.table, a.config = t, config
	a.defaultUser = &aclUser{name: defaultUserName}
	a.users = map[string]*aclUser{defaultUserName: a.defaultUser}
	rules := a.newRules()
	_, _ = rules.applyAll([]string{"on", "nopass", "allkeys", "allchannels", "allcommands"})
	a.change(a.defaultUser, rules)
	a.setPassword(config.Password())
	a.declare(config.users)
}

// NeedsNoPassword reports whether clients may do what the default user may without saying who they are.
func (e *Env) NeedsNoPassword() bool { return e.acl.open.Load() }

// setPassword follows requirepass, which is the default user's password.
func (a *acl) setPassword(password string) {
	rules := a.defaultUser.rules.Load().clone()
	_ = rules.apply("resetpass")
	if password == "" {
		_ = rules.apply("nopass")
	} else {
		_ = rules.apply(">" + password)
	}
	a.change(a.defaultUser, rules)
}

func (a *acl) change(u *aclUser, rules *aclRules) {
	u.set(rules)
	if u == a.defaultUser {
		a.open.Store(rules.enabled && rules.noPass)
	}
}

// user finds one by his name; nil if there is none.
func (a *acl) user(name string) *aclUser {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.users[name]
}

// all lists the users by name.
func (a *acl) all() []*aclUser {
	a.mu.Lock()
	defer a.mu.Unlock()
	users := make([]*aclUser, 0, len(a.users))
	for _, u := range a.users {
		users = append(users, u)
	}
	slices.SortFunc(users, func(x, y *aclUser) int { return compareStrings(x.name, y.name) })
	return users
}

// edit changes a user, or makes a new one, by a function that may refuse.
func (a *acl) edit(name string, f func(*aclRules) error) (*aclUser, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	u, rules := a.users[name], a.newRules()
	if u != nil {
		rules = u.rules.Load().clone()
	}
	if err := f(rules); err != nil {
		return nil, err
	}
	if u == nil {
		u = &aclUser{name: name}
		a.users[name] = u
	}
	a.change(u, rules)
	return u, nil
}

func (a *acl) remove(name string) *aclUser {
	a.mu.Lock()
	defer a.mu.Unlock()
	u := a.users[name]
	delete(a.users, name)
	return u
}

func validUserName(name string) bool { return !strings.ContainsAny(name, " \x00") }

var errBadUserName = errors.New("ERR Usernames can't contain spaces or null characters")

// authenticate finds the user of that name, if he is on and this is a password of his.
func (a *acl) authenticate(name, password string) *aclUser {
	u := a.user(name)
	if u == nil {
		return nil
	}
	if r := u.rules.Load(); r.enabled && (r.noPass || slices.Contains(r.passwords, hashed(password))) {
		return u
	}
	return nil
}

// mayHear reports whether a selector allows all channels that a session listens to.
func (u *aclUser) mayHear(s *Session) bool {
	heard := func(k pubsub.Kind) []string { return s.env.PubSub.HeardBy(s.subs, k) }
	channels := append(heard(pubsub.Channel), heard(pubsub.Shard)...)
	patterns := heard(pubsub.Pattern)
	return slices.ContainsFunc(u.rules.Load().selectors, func(sel *aclSelector) bool {
		forbidden := func(isPattern bool) func(string) bool {
			return func(name string) bool { return !sel.mayListen(name, isPattern) }
		}
		return !slices.ContainsFunc(channels, forbidden(false)) && !slices.ContainsFunc(patterns, forbidden(true))
	})
}
