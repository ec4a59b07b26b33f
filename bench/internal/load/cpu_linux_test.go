package load

import (
	"os"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

func TestProcessCPU_GrowsWithWork(t *testing.T) {
	for name, pid := range map[string]int{"this one": 0, "by number": os.Getpid()} {
		t.Run(name, func(t *testing.T) {
			before, err := ProcessCPU(pid)
			require.NoError(t, err)
			for after := before; after < before+10*time.Millisecond; {
				after, err = ProcessCPU(pid)
				require.NoError(t, err)
			}
		})
	}
}

func TestProcessCPU_NoProcess(t *testing.T) {
	_, err := ProcessCPU(1 << 22)
	require.ErrorContains(t, err, "CPU time of process 4194304")
}
