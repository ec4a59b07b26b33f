package luaeval

import (
	"fmt"
	"slices"
	"strings"
)

// librarySet is a set of libraries and their functions. It is immutable: every change makes a new one, so a call that
// has found a function in one set is not disturbed by the next. Libraries are in the order in which they were loaded.
// A set with one more library shares the array of its libraries: only the last set may get one, and it is never the
// current one again once it was replaced.
type librarySet struct {
	libraries []*Library
	names     layered[*Library]
	functions layered[*Function] // by name in lower case
}

// library returns the library of that name, or nil.
func (c *librarySet) library(name string) *Library { return c.names.get(name) }

// with returns the set with one more library. None of its functions may have the name, in any letter case, of a
// function of another library; within a library the first one keeps such a name.
func (c *librarySet) with(lib *Library) (*librarySet, error) {
	functions := c.functions
	for _, fn := range lib.Functions {
		name := strings.ToLower(fn.Name)
		switch other := functions.get(name); {
		case other == nil:
			functions = functions.with(name, fn)
		case other.library != lib:
			return nil, fmt.Errorf("ERR Function %s already exists", fn.Name)
		}
	}
	return &librarySet{libraries: append(c.libraries, lib), names: c.names.with(lib.Name, lib), functions: functions}, nil
}

// without returns the set without the library of that name.
func (c *librarySet) without(name string) *librarySet {
	gone := c.library(name)
	if gone == nil {
		return c
	}
	return &librarySet{
		libraries: slices.DeleteFunc(slices.Clone(c.libraries), func(lib *Library) bool { return lib == gone }),
		names:     c.names.without(func(lib *Library) bool { return lib == gone }),
		functions: c.functions.without(func(fn *Function) bool { return fn.library == gone }),
	}
}

// extends reports whether the set has all libraries of another one, in the same places.
func (c *librarySet) extends(other *librarySet) bool {
	last := len(other.libraries) - 1
	return last < 0 || last < len(c.libraries) && c.libraries[last] == other.libraries[last]
}

// joined returns the set with the libraries of another that the policy allows. Those to be replaced are removed first,
// since their functions may have moved to another library.
func (c *librarySet) joined(other *librarySet, policy RestorePolicy) (*librarySet, error) {
	if policy == RestoreFlush {
		return other, nil
	}
	joined := c
	for _, lib := range other.libraries {
		switch {
		case c.library(lib.Name) == nil:
		case policy == RestoreAppend:
			return nil, fmt.Errorf("ERR Library %s already exists", lib.Name)
		default:
			joined = joined.without(lib.Name)
		}
	}
	for _, lib := range other.libraries {
		var err error
		if joined, err = joined.with(lib); err != nil {
			return nil, err
		}
	}
	return joined, nil
}
