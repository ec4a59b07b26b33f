package luaeval

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/resp"
)

// Functions is the function libraries of one server (Redis: FUNCTION LOAD command page). What they are is replaced as a
// whole by every change, so whoever looks sees all of a change or nothing. It is safe for concurrent use.
type Functions struct {
	engine  *Engine
	mu      sync.Mutex // held while current is replaced
	current atomic.Pointer[catalog]
}

// Library is the functions that one source has registered.
//
// A library runs in any state of the pool: each loads it again when it first needs it. That can't be told from the one
// state of Redis unless functions leave something in the variables of the library for the next call. A library that can
// do so is found out when it is loaded; it has one state for itself, and its functions begin with all shards locked:
// then nothing makes them run twice, and no two run at a time.
type Library struct {
	Name      string
	Source    string
	Functions []*Function // in the order of their registration

	proto   *lua.FunctionProto
	retired atomic.Bool // no longer among the libraries: states forget it
	mu      sync.Mutex  // held while own runs a function
	own     *state      // of a library that keeps something between calls, else nil
}

// Function is one function of a library. Its Script has the flags, and the name in place of a digest.
type Function struct {
	Script
	Description *string // nil if none was given
	library     *Library
	place       int // among the library's functions
}

// RestorePolicy says what becomes of the libraries there are when others are restored.
type RestorePolicy uint8

// The policies of FUNCTION RESTORE.
const (
	RestoreAppend  RestorePolicy = iota // a library that is there already is an error
	RestoreReplace                      // it is replaced
	RestoreFlush                        // all that are there go
)

// ErrNoLibrary is what Redis answers where a library is to be deleted that is not there.
var ErrNoLibrary = errors.New("ERR Library not found")

func newFunctions(e *Engine) *Functions {
	f := &Functions{engine: e}
	f.current.Store(&catalog{})
	return f
}

// Get returns the function of that name, in any letter case, or nil.
func (f *Functions) Get(name []byte) *Function {
	byName := f.current.Load().byName
	if fn := byName[string(name)]; fn != nil {
		return fn
	}
	return byName[strings.ToLower(string(name))]
}

// Libraries lists the libraries in the order in which they were loaded.
func (f *Functions) Libraries() []*Library { return f.current.Load().libraries }

// Count tells how many libraries there are, and how many functions they have.
func (f *Functions) Count() (libraries, functions int) {
	now := f.current.Load().libraries
	for _, lib := range now {
		functions += len(lib.Functions)
	}
	return len(now), functions
}

// SourceBytes is how long the libraries are together.
func (f *Functions) SourceBytes() (bytes int64) {
	for _, lib := range f.current.Load().libraries {
		bytes += int64(len(lib.Source))
	}
	return bytes
}

// Load compiles and runs the source of a library, keeps the functions that it registers, and returns the library's
// name. With replace it may take the place of a library of the same name. The error is what Redis answers.
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
	return lib.Name, f.change(func(now *catalog) (*catalog, error) {
		if !replace && now.library(lib.Name) != nil {
			return nil, errLibraryLoaded(lib.Name)
		}
		return now.without(lib.Name).with(lib)
	})
}

// Delete forgets a library; functions that run go on.
func (f *Functions) Delete(name string) error {
	return f.change(func(now *catalog) (*catalog, error) {
		if now.library(name) == nil {
			return nil, ErrNoLibrary
		}
		return now.without(name), nil
	})
}

// Flush forgets all libraries.
func (f *Functions) Flush() {
	_ = f.change(func(*catalog) (*catalog, error) { return &catalog{}, nil })
}

// Restore loads several libraries: either all of them or, with an error, none.
func (f *Functions) Restore(sources []string, policy RestorePolicy) error {
	restored := &catalog{}
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
	return f.change(func(now *catalog) (*catalog, error) { return now.joined(restored, policy) })
}

// change replaces the libraries by what edit makes of them, unless it fails.
func (f *Functions) change(edit func(now *catalog) (*catalog, error)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.current.Load()
	next, err := edit(now)
	if err != nil {
		return err
	}
	f.current.Store(next)
	for _, lib := range now.libraries {
		if !slices.Contains(next.libraries, lib) {
			lib.retired.Store(true)
		}
	}
	return nil
}

// run calls the function and returns its reply: see Engine.Run.
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

func errLibraryLoaded(name string) error { return fmt.Errorf("ERR Library '%s' already exists", name) }
