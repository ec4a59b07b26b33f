package command

import (
	"testing"

	"github.com/minilockd/minilockd/internal/poison"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/resp"
)

func TestReplyArena_Take(t *testing.T) {
	var r replyArena
	first := append(r.take(100), resp.Int(1))
	second := append(r.take(100), resp.Int(2)) // does not fit
	require.Equal(t, []resp.Value{resp.Int(1)}, first)
	require.Equal(t, []resp.Value{resp.Int(2)}, second)
	require.GreaterOrEqual(t, cap(second), 100)

	used := r.used
	require.Len(t, append(r.take(maxElements+1), resp.Int(3)), 1)
	require.Equal(t, used, r.used, "what is too large is not kept")

	r.forget()
	if poison.On {
		require.Equal(t, poisoned, second[0])
	} else {
		require.Zero(t, second[0], "nothing is kept in memory")
	}
	r.release()
	r.release()
}
