package luaeval

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
)

// Functions is the function libraries of one server (Redis: FUNCTION LOAD command page). Every change replaces the set
// of libraries as a whole, so a reader sees all of a change or nothing. It is safe for concurrent use.
type Functions struct {
	engine  *Engine
	mu      lockrank.Mutex[lockrank.Libraries] // held while current is replaced
	current atomic.Pointer[librarySet]

	retirements atomic.Uint64 // changes that have retired libraries
}

// Library is the functions that one source has registered.
//
// A library runs in any state of the pool; each loads it when it first needs it. A script can distinguish this from the
// single state of Redis only if functions keep data in variables of the library between calls. Loading finds out
// whether a library can do so; then it gets its own state, and its functions start with all shards locked, so that none
// of them is restarted and no two run at a time.
type Library struct {
	Name      string
	Source    string
	Functions []*Function // in the order of their registration

	proto   *lua.FunctionProto
	retired atomic.Bool                           // deleted or replaced: states drop it
	mu      lockrank.Mutex[lockrank.LibraryState] // held while own runs a function
	own     *state                                // of a library that keeps data between calls, else nil
}

// Function is one function of a library. Like a Script, it stays valid when its library is deleted or replaced.
type Function struct {
	Name        string
	Description *string // nil if none was given

	settings
	library *Library
	index   int // among the functions of the library
}

// RestorePolicy says what FUNCTION RESTORE does with existing libraries.
type RestorePolicy uint8

// The policies of FUNCTION RESTORE.
const (
	RestoreAppend  RestorePolicy = iota // an existing library is an error
	RestoreReplace                      // it is replaced
	RestoreFlush                        // all existing libraries are deleted
)

// ErrNoLibrary is Redis' error for deleting a library that does not exist.
var ErrNoLibrary = errors.New("ERR Library not found")

func newFunctions(e *Engine) *Functions {
	f := &Functions{engine: e}
	f.current.Store(&librarySet{})
	return f
}

// Get returns the function of that name, in any letter case, or nil.
func (f *Functions) Get(name []byte) *Function {
	functions := &f.current.Load().functions
	if fn := functions.get(string(name)); fn != nil {
		return fn
	}
	return functions.get(strings.ToLower(string(name)))
}

// Libraries lists the libraries in the order in which they were loaded. The caller must not change the slice.
func (f *Functions) Libraries() []*Library { return f.current.Load().libraries }

// Count returns the numbers of libraries and functions.
func (f *Functions) Count() (libraries, functions int) {
	now := f.current.Load().libraries
	for _, lib := range now {
		functions += len(lib.Functions)
	}
	return len(now), functions
}

// SourceBytes returns the total length of the libraries in bytes.
func (f *Functions) SourceBytes() (bytes int64) {
	for _, lib := range f.current.Load().libraries {
		bytes += int64(len(lib.Source))
	}
	return bytes
}

// Load compiles and runs the source of a library, keeps the functions that it registers, and returns the name of the
// library. With replace it may replace a library of the same name. The error is that of Redis. A name that is taken is
// an error before the source runs, and once more after it, since f.mu is not held while it runs.
func (f *Functions) Load(source string, replace bool) (name string, err error) {
	header, err := libraryHeader(source)
	switch {
	case err != nil:
		return "", err
	case !replace && f.current.Load().library(header.name) != nil:
		return "", errLibraryLoaded(header.name)
	}
	lib, err := f.engine.loadLibrary(source, header)
	if err != nil {
		return "", err
	}
	return lib.Name, f.change(func(now *librarySet) (*librarySet, error) {
		if !replace && now.library(lib.Name) != nil {
			return nil, errLibraryLoaded(lib.Name)
		}
		return now.without(lib.Name).with(lib)
	})
}

// Delete deletes a library; running functions continue. It returns ErrNoLibrary if there is none of that name, whose
// letter case counts.
func (f *Functions) Delete(name string) error {
	return f.change(func(now *librarySet) (*librarySet, error) {
		if now.library(name) == nil {
			return nil, ErrNoLibrary
		}
		return now.without(name), nil
	})
}

// Flush deletes all libraries; running functions continue.
func (f *Functions) Flush() {
	if f.engine.server.Does(emulate.ResetsFunctions) {
		f.engine.libJSON.Reset()
	}
	_ = f.change(func(*librarySet) (*librarySet, error) { return &librarySet{}, nil })
}

// Restore loads several libraries: either all of them or, with an error, none. It compiles and runs every source before
// it changes anything.
func (f *Functions) Restore(sources []string, policy RestorePolicy) error {
	restored := &librarySet{}
	for _, source := range sources {
		header, err := libraryHeader(source)
		switch {
		case err != nil:
			return err
		case restored.library(header.name) != nil:
			return errLibraryLoaded(header.name)
		}
		lib, err := f.engine.loadLibrary(source, header)
		if err != nil {
			return err
		}
		if restored, err = restored.with(lib); err != nil {
			return err
		}
	}
	return f.change(func(now *librarySet) (*librarySet, error) { return now.joined(restored, policy) })
}

// change replaces the libraries with the result of edit, unless it fails, and marks those that are gone as retired, so
// that the states of the pool drop their functions (space.load).
func (f *Functions) change(edit func(now *librarySet) (*librarySet, error)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.current.Load()
	next, err := edit(now)
	if err != nil {
		return err
	}
	f.current.Store(next)
	if next.extends(now) {
		return nil
	}
	for _, lib := range now.libraries {
		if next.library(lib.Name) != lib {
			lib.retired.Store(true)
		}
	}
	f.retirements.Add(1)
	return nil
}

// run implements Program. A library that keeps data has its own state, which runs one function at a time; any state of
// the pool will do for the others.
func (fn *Function) run(e *Engine, keys, args [][]byte, c Caller) resp.Value {
	if own := fn.library.own; own != nil {
		fn.library.mu.Lock()
		defer fn.library.mu.Unlock()
		return own.runFunction(fn, keys, args, c)
	}
	st := e.states.Get().(*state)
	defer e.release(st)
	return st.runFunction(fn, keys, args, c)
}

// errLibraryLoaded is the error of FUNCTION LOAD without REPLACE.
func errLibraryLoaded(name string) error { return fmt.Errorf("ERR Library '%s' already exists", name) }
