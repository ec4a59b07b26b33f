package luafront

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestVerify_PinnedVersion(t *testing.T) {
	require.NoError(t, Verify())
}

// Ensure that a gopher-lua which doesn't take the patch is noticed.
func TestVerify_UnpatchedInstructions(t *testing.T) {
	replaced := jumpTable
	defer func() { jumpTable = replaced }()
	jumpTable = original
	require.ErrorContains(t, Verify(), "1e15")
}

func TestCheckLayout_OtherVersion(t *testing.T) {
	require.NoError(t, checkLayout())
	type moved struct {
		Pc int
	}
	require.ErrorContains(t, sameFields(typeOf[moved](), typeOf[vmFrame]()), "field Pc")
}
