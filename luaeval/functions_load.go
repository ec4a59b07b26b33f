package luaeval

import (
	"errors"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// FUNCTION LOAD compiles a library and runs it once, in a state of the pool, to learn which functions it registers.
// What the source does besides is limited: it has no KEYS, no redis.call, and half a second.

// libraryChunkName makes error positions read "user_function:2:".
const libraryChunkName = "@user_function"

// loadLimit is how long the code of a library may run outside its functions (Redis: LOAD_TIMEOUT_MS).
const loadLimit = 500 * time.Millisecond

var (
	errNoMetadata      = errors.New("ERR Missing library metadata")
	errInvalidMetadata = errors.New("ERR Invalid library metadata")
	errNoLibraryName   = errors.New("ERR Library name was not given")
	errManyNames       = errors.New("ERR Invalid metadata value, name argument was given multiple times")
	errBadName         = errors.New("ERR Library names can only contain letters, numbers, or underscores(_) and must " +
		"be at least one character long")
	errNoFunctions = errors.New("ERR No functions registered")
	errLoadTimeout = errors.New("FUNCTION LOAD timeout")
)

// header is the first line of the source of a library, "#!lua name=mylib", and what follows it. The body begins with
// the end of that line, so that its lines have the numbers that they have in the source.
type header struct {
	engine, name string
	body         string
}

// libraryHeader reads the first line of a library. As in Redis an invalid name is reported before an unknown engine,
// whose letter case does not count.
func libraryHeader(source string) (h header, err error) {
	if !strings.HasPrefix(source, shebang) {
		return h, errNoMetadata
	}
	line, body, ok := cutLine(source)
	if !ok {
		return h, errInvalidMetadata
	}
	parts, ok := words.SplitString(line)
	if !ok {
		return h, errInvalidMetadata
	}
	h = header{engine: parts[0][len(shebang):], body: body}
	if h.name, err = libraryName(parts[1:]); err != nil {
		return h, err
	}
	if !strings.EqualFold(h.engine, "lua") {
		return h, errors.New("ERR Engine '" + h.engine + "' not found")
	}
	return h, nil
}

// libraryName returns the value of name=, which must be given once, and be the only option. The letter case of the key
// does not count.
func libraryName(words []string) (name string, err error) {
	const key = "name="
	found := false
	for _, word := range words {
		switch {
		case len(word) < len(key) || !strings.EqualFold(word[:len(key)], key):
			return "", errors.New("ERR Invalid metadata value given: " + word)
		case found:
			return "", errManyNames
		}
		name, found = word[len(key):], true
	}
	switch {
	case !found:
		return "", errNoLibraryName
	case !isName(name):
		return "", errBadName
	}
	return name, nil
}

// isName reports whether a name is valid for libraries and functions: letters, digits and underscores.
func isName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < '0' || '9' < c) && (c|0x20 < 'a' || 'z' < c|0x20) {
			return false
		}
	}
	return name != ""
}

// loadLibrary compiles a library and runs its code, which registers the functions. If the library keeps data between
// calls, it keeps this state; otherwise the state returns to the pool, with the library loaded.
func (e *Engine) loadLibrary(source string, h header) (*Library, error) {
	proto, err := luafront.Compile(h.body, libraryChunkName)
	if err != nil {
		return nil, errors.New("ERR Error compiling function: " + err.Error())
	}
	lib := &Library{Name: h.name, Source: source, proto: proto}
	st := e.states.Get().(*state)
	err = st.within(loadLimit, func() error { return st.space().load(lib, true) })
	switch {
	case err != nil:
		e.states.Put(st)
		return nil, loadError(err)
	case len(lib.Functions) == 0:
		e.states.Put(st)
		return nil, errNoFunctions
	case st.space().keepsState(lib):
		lib.keepState(st)
	default:
		e.states.Put(st)
	}
	return lib, nil
}

// within runs code of the state and stops it after limit, which is real time, not that of the server: a test that moves
// the clock does not stop it. The timer may fire when run has just returned; over prevents that from stopping the next
// script of the state.
func (st *state) within(limit time.Duration, run func() error) error {
	var mu lockrank.Mutex[lockrank.LoadLimit]
	over := false
	timer := clock.Real{}.AfterFunc(limit, func() {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			st.machine.Stop(errLoadTimeout)
		}
	})
	err := run()
	timer.Stop()
	mu.Lock()
	over = true
	mu.Unlock()
	if st.machine.Stopped() != nil {
		st.machine.Reset()
	}
	return err
}

// nameError is why a function can't have its name, found after the code of its library has run.
type nameError string

// Error implements error.
func (e nameError) Error() string { return "ERR " + string(e) }

// loadError returns the error of FUNCTION LOAD for what the code of a library has failed with.
func loadError(err error) error {
	if _, ok := err.(nameError); ok {
		return err
	}
	return errors.New("ERR Error registering functions: " + registerText(err))
}

// registerText returns the error of the code of a library as it follows "ERR Error registering functions: ": a value
// that it raised, or the reason for which it was stopped.
func registerText(err error) string {
	var raised *lua.ApiError
	if errors.As(err, &raised) {
		return errorText(luafront.Message(err))
	}
	return "ERR " + err.Error()
}

// keepState makes the state the own one of the library. Its functions run one at a time and are never restarted: see
// Library.
func (lib *Library) keepState(st *state) {
	lib.own = st
	for _, fn := range lib.Functions {
		fn.SetNeedsAllShards()
	}
}
