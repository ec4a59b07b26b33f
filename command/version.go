package command

import (
	"runtime/debug"
	"sync"
)

// RedisVersion is the version of Redis whose behaviour is emulated.
const RedisVersion = "7.0.15"

// module is the path of the module that Version looks for in what is built.
const module = "github.com/minilockd/minilockd"

// Version is the module's own version as far as the build knows it, "(devel)" otherwise.
var Version = sync.OnceValue(func() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)"
	}
	for _, m := range append(build.Deps, &build.Main) {
		if m.Path == module && m.Version != "" {
			return m.Version
		}
	}
	return "(devel)"
})
