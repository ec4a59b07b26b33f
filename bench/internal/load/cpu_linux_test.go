package load

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParseStat_TheNameMayHoldAnything(t *testing.T) {
	cpu, err := parseStat([]byte("7 (a) b (c) S 1 7 7 0 -1 4194560 9 0 0 0 123 45 6 7 20 0 1 0 99\n"))
	require.NoError(t, err)
	require.Equal(t, 1680*time.Millisecond, cpu)
	_, err = parseStat([]byte("7 (a) S 1"))
	require.Error(t, err)
}

func TestProcessCPU_GrowsWithWork(t *testing.T) {
	before, err := processCPU(os.Getpid())
	require.NoError(t, err)
	own, err := ownCPU()
	require.NoError(t, err)
	for after := own; after < own+5*tick; {
		after, err = ownCPU()
		require.NoError(t, err)
	}
	after, err := processCPU(os.Getpid())
	require.NoError(t, err)
	require.GreaterOrEqual(t, after-before, 3*tick)
}

func TestProcessCPU_NoProcess(t *testing.T) {
	none, err := processCPU(0)
	require.NoError(t, err)
	require.Zero(t, none)
}
