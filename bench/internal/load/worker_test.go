package load

import (
	"fmt"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

var lockSteps = []Step{
	{Args: []string{"ACQUIRE", KeyDigits}, Want: "$-1", Rejected: ":"},
	{Args: []string{"RELEASE", KeyDigits}, Want: ":1"},
}

// sent returns the current request of the worker, as a line.
func sent(w *worker) string {
	fields := strings.Split(string(w.request().bytes), "\r\n")
	return fields[2] + " " + fields[4]
}

func TestWorker_Reply_GoesThroughTheStepsOnItsOwnKeys(t *testing.T) {
	w := newWorker(&Spec{Steps: lockSteps}, 2)
	seen := map[string]bool{}
	for cycle := range defaultOwnKeys {
		key := fmt.Sprintf("%06d", 2*defaultOwnKeys+(2+cycle)%defaultOwnKeys)
		for i, answer := range []string{"$-1\r\n", ":1\r\n"} {
			require.Equal(t, lockSteps[i].Args[0]+" "+key, sent(w))
			rejected, err := w.reply(lockSteps, []byte(answer))
			require.NoError(t, err)
			require.False(t, rejected)
		}
		seen[key] = true
	}
	require.Len(t, seen, defaultOwnKeys)
	require.Equal(t, "ACQUIRE 000130", sent(w), "begins anew")
}

func TestWorker_Reply_RejectedIsNotReleased(t *testing.T) {
	w := newWorker(&Spec{Steps: lockSteps, SharedKeys: 4}, 3)
	require.Equal(t, "ACQUIRE 000003", sent(w))
	rejected, err := w.reply(lockSteps, []byte(":29999\r\n"))
	require.NoError(t, err)
	require.True(t, rejected)
	require.Equal(t, "ACQUIRE 000000", sent(w))
}

func TestWorker_Reply_AnotherReplyIsAnError(t *testing.T) {
	for answer, want := range map[string]string{
		"+OK\r\n":                `ACQUIRE answered "+OK\r\n", wanted "$-1"`,
		"-NOSCRIPT No match\r\n": `ACQUIRE answered "-NOSCRIPT No match\r\n"`,
	} {
		_, err := newWorker(&Spec{Steps: lockSteps}, 0).reply(lockSteps, []byte(answer))
		require.EqualError(t, err, want)
	}
}
