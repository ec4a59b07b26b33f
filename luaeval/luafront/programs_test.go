package luafront

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure that random programs do and say the same as on a real server.
func TestPrograms_SameAsRedis(t *testing.T) {
	redis := startReference(t)
	programs := int64(400)
	if testing.Short() {
		programs = 50
	}
	for seed := range programs {
		program := generate(seed)
		require.Equal(t, redis.eval(program), eval(t, program), "seed %d: %s", seed, program)
	}
}
