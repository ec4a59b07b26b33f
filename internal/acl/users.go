package acl

import (
	"cmp"
	"crypto/subtle"
	"errors"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/words"
)

// DefaultName is the user of a new connection. It may do everything until its rules say otherwise.
const DefaultName = "default"

// ErrUserName is the error of ACL SETUSER for a name that is not ValidName.
var ErrUserName = errors.New("ERR Usernames can't contain spaces or null characters")

// User is an ACL user. Its rules are replaced atomically.
type User struct {
	Name  string
	rules atomic.Pointer[Rules]
	// limits is rules, or nil if these forbid nothing, so that Unlimited need not look at them.
	limits atomic.Pointer[Rules]
}

// Rules returns the rules that hold now. They are immutable: a change replaces them.
func (u *User) Rules() *Rules { return u.rules.Load() }

// set replaces the rules, and decides whether the user has limits: it has none if one selector allows everything.
func (u *User) set(rules *Rules) {
	u.rules.Store(rules)
	if slices.ContainsFunc(rules.selectors, (*Selector).unlimited) {
		rules = nil
	}
	u.limits.Store(rules)
}

// Users are the users of a server, and the log of denied calls. It is safe for concurrent use.
type Users struct {
	Default *User
	Log     Log

	template Template
	open     atomic.Bool // the default user is enabled and needs no password

	mu     lockrank.Mutex[lockrank.ACLUsers] // guards byName
	byName map[string]*User
}

// NewUsers returns the default user alone, who may do everything and needs no password.
func NewUsers(template Template) *Users {
	a := &Users{template: template, Default: &User{Name: DefaultName}}
	a.byName = map[string]*User{DefaultName: a.Default}
	rules := template.rules()
	_, _ = rules.ApplyAll([]string{"on", "nopass", "allkeys", "allchannels", "allcommands"})
	a.Restore(a.Default, rules)
	return a
}

// Open reports whether clients may do without AUTH what the default user may do. It costs one load.
func (a *Users) Open() bool { return a.open.Load() }

// SetPassword sets the default user's only password, as requirepass does; "" is none.
func (a *Users) SetPassword(password string) {
	rules := a.Default.Rules().clone()
	_ = rules.Apply("resetpass")
	if password == "" {
		_ = rules.Apply("nopass")
	} else {
		_ = rules.Apply(">" + password)
	}
	a.Restore(a.Default, rules)
}

// Restore gives a user rules that it had before.
func (a *Users) Restore(u *User, rules *Rules) {
	u.set(rules)
	if u == a.Default {
		a.open.Store(rules.enabled && rules.noPass)
	}
}

// Get returns the user of that name, or nil.
func (a *Users) Get(name string) *User {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.byName[name]
}

// All returns the users, sorted by name.
func (a *Users) All() []*User {
	a.mu.Lock()
	defer a.mu.Unlock()
	users := make([]*User, 0, len(a.byName))
	for _, u := range a.byName {
		users = append(users, u)
	}
	slices.SortFunc(users, func(x, y *User) int { return cmp.Compare(x.Name, y.Name) })
	return users
}

// Edit changes a user, or makes a new one: f changes a copy of the rules. If f returns an error, nothing changes.
// Sessions of the user see the new rules from their next command on.
func (a *Users) Edit(name string, f func(*Rules) error) (*User, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	u, rules := a.byName[name], a.template.rules()
	if u != nil {
		rules = u.Rules().clone()
	}
	if err := f(rules); err != nil {
		return nil, err
	}
	if u == nil {
		u = &User{Name: name}
		a.byName[name] = u
	}
	a.Restore(u, rules)
	return u, nil
}

// Remove removes a user and returns it, nil if there was none. Its sessions keep it until the caller closes them.
func (a *Users) Remove(name string) *User {
	a.mu.Lock()
	defer a.mu.Unlock()
	u := a.byName[name]
	delete(a.byName, name)
	return u
}

// Authenticate returns the user of that name if it is enabled and has this password, else nil. AUTH does not say which
// of the two is wrong.
func (a *Users) Authenticate(name, password string) *User {
	u := a.Get(name)
	if u == nil {
		return nil
	}
	if r := u.Rules(); r.enabled && (r.noPass || r.hasPassword(password)) {
		return u
	}
	return nil
}

// hasPassword compares with all passwords, so that the time it takes does not tell how much of one is right.
func (r *Rules) hasPassword(password string) bool {
	hash, found := []byte(hashed(password)), 0
	for _, p := range r.passwords {
		found |= subtle.ConstantTimeCompare([]byte(p), hash)
	}
	return found == 1
}

// ValidName reports whether Redis accepts a user name: one that ACL LIST can show as a single word.
func ValidName(name string) bool { return !strings.ContainsAny(name, " \x00") }

// Declared is a line of redis.conf that declares a user: its name and its rules as ACL SETUSER takes them.
type Declared struct {
	Name  string
	Rules []string
}

// Declare checks the declaration of a user without making the user: a server must not start with a wrong one.
func (t Template) Declare(name string, args []string) (Declared, error) {
	if !ValidName(name) {
		return Declared{}, ErrUserName
	}
	rules, err := JoinSelectors(args)
	if err == nil {
		_, err = t.rules().ApplyAll(rules)
	}
	return Declared{name, rules}, err
}

// Add makes the declared users when the server starts. The default user keeps nothing but what its declaration says,
// if there is one.
func (a *Users) Add(users []Declared) {
	for _, u := range users {
		_, _ = a.Edit(u.Name, func(to *Rules) error {
			if u.Name == DefaultName {
				_ = to.Apply("reset")
			}
			_, err := to.ApplyAll(u.Rules) // Declare has checked them
			return err
		})
	}
}

// JoinSelectors joins the arguments of each selector that was written with blanks: "(+get", "~a)" becomes "(+get ~a)".
func JoinSelectors(args []string) ([]string, error) {
	var rules []string
	open, from := "", ""
	for _, arg := range args {
		switch {
		case open != "":
			open += " " + arg
		case strings.HasPrefix(arg, "("):
			open, from = arg, arg
		default:
			rules = append(rules, arg)
			continue
		}
		if strings.HasSuffix(arg, ")") {
			rules, open = append(rules, open), ""
		}
	}
	if open != "" {
		return nil, words.Errorf("ERR Unmatched parenthesis in acl selector starting at '%s'.", from)
	}
	return rules, nil
}
