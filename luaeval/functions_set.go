package luaeval

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// librarySet is a set of libraries and their functions. It is immutable: every change makes a new one, so a call that
// has found a function in one set is not disturbed by the next. Libraries are in the order in which they were loaded.
type librarySet struct {
	libraries []*Library
	byName    map[string]*Function // by name in lower case
}

// library returns the library of that name, or nil.
func (c *librarySet) library(name string) *Library {
	i := slices.IndexFunc(c.libraries, func(lib *Library) bool { return lib.Name == name })
	if i < 0 {
		return nil
	}
	return c.libraries[i]
}

// with returns the set with one more library. None of its functions may have the name, in any letter case, of a
// function of another library; within a library the first one keeps such a name.
func (c *librarySet) with(lib *Library) (*librarySet, error) {
	byName := maps.Clone(c.byName)
	if byName == nil {
		byName = make(map[string]*Function)
	}
	for _, fn := range lib.Functions {
		name := strings.ToLower(fn.Name)
		switch other := byName[name]; {
		case other == nil:
			byName[name] = fn
		case other.library != lib:
			return nil, fmt.Errorf("ERR Function %s already exists", fn.Name)
		}
	}
	return &librarySet{libraries: append(slices.Clip(c.libraries), lib), byName: byName}, nil
}

// without returns the set without the library of that name.
func (c *librarySet) without(name string) *librarySet {
	return &librarySet{
		libraries: slices.DeleteFunc(slices.Clone(c.libraries), func(lib *Library) bool { return lib.Name == name }),
		byName:    without(c.byName, name),
	}
}

// without returns the functions that do not belong to a library.
func without(byName map[string]*Function, library string) map[string]*Function {
	byName = maps.Clone(byName)
	maps.DeleteFunc(byName, func(_ string, fn *Function) bool { return fn.library.Name == library })
	return byName
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
