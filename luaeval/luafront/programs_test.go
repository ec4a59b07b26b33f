package luafront

import (
	"testing"

	"github.com/minilockd/minilockd/internal/luagen"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// Ensure that random programs do and say the same as on a real server.
func TestPrograms_SameAsRedis(t *testing.T) {
	redis := startReference(t)
	programs := uint64(400)
	if !testenv.Long() {
		programs = 50
	}
	for seed := range programs {
		program := luagen.Generate(seed, luagen.Options{}).Source()
		require.Equal(t, redis.eval(program), eval(t, program), "seed %d: %s", seed, program)
	}
}
