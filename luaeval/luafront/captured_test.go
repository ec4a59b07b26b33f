package luafront

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestAssignsCaptured(t *testing.T) {
	for body, want := range map[string]bool{
		"return n":                       false,
		"n = 1":                          true,
		"local m = n m = 2":              false,
		"return function() n = 1 end":    true,
		"return function() return n end": false,
		"return function() return function() n = 1 end end":                    true,
		"local n = n return function() n = 1 end":                              false,
		"local m = 1 local f = function() m = n end return function() f() end": false,
	} {
		proto, err := Compile("local n local f = function() "+body+" end", "@test")
		require.NoError(t, err, body)
		require.Equal(t, want, AssignsCaptured(proto.FunctionPrototypes[0], 0), body)
	}
}
