// Package version says which version this is. It is a part of the server, not an API.
package version

import (
	"fmt"
	"hash/fnv"
	"runtime/debug"
	"sync"
)

// path is that of the module that Module looks for in the build.
const path = "github.com/minilockd/minilockd"

// release is the version of a build for packages, which packaging/build sets: a build in the checkout knows none.
var release string

// Module is the version of the module as far as the build knows it, "(devel)" otherwise.
var Module = sync.OnceValue(func() string {
	if release != "" {
		return release
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)"
	}
	for _, m := range append(build.Deps, &build.Main) {
		if m.Path == path && m.Version != "" {
			return m.Version
		}
	}
	return "(devel)"
})

// BuildID identifies a build: a hash of its version (redis_build_id of INFO).
func BuildID() string {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(Module())) // never fails
	return fmt.Sprintf("%016x", sum.Sum64())
}
