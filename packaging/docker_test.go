package packaging_test

import (
	"bufio"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// images are made in folders of their own, by buildah: it needs no service that runs, as docker build does.
type images struct{ flags []string }

func newImages(t *testing.T) images {
	t.Helper()
	testenv.RequirePrograms(t, "buildah")
	if os.Getuid() != 0 {
		testenv.Missing(t, "only root can mount an image here")
	}
	dir := t.TempDir()
	i := images{[]string{"--storage-driver", "vfs", "--root", filepath.Join(dir, "root"), "--runroot",
		filepath.Join(dir, "run")}}
	t.Cleanup(func() { i.run(t, "rm", "--all") }) // which unmounts
	return i
}

func (i images) run(t *testing.T, command string, args ...string) string {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.Command("buildah", append(append(i.flags, command), args...)...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s: %s%s", cmd, out, stderr.String())
	return strings.TrimSpace(string(out))
}

// The image has nothing but the binary, so that runs where no C library is, as a user without rights.
func TestDocker_ImageServes(t *testing.T) {
	archives := dist(t, "archives")
	i := newImages(t)
	i.run(t, "build", "--isolation", "chroot", "--platform", "linux/"+runtime.GOARCH, "--build-arg", "VERSION="+version(t),
		"-f", "docker/Dockerfile", "-t", "minilockd", archives)
	root := i.run(t, "mount", i.run(t, "from", "minilockd"))
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	require.Equal(t, []string{"LICENSE", "THIRD_PARTY_LICENSES.txt", "minilockd"}, names)

	cmd := testenv.EndWithParent(exec.Command("chroot", "--userspec=65532:65532", root, "/minilockd", "--addr",
		"127.0.0.1:0", "--ready-json", "--exit-with-stdin"))
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var ready struct{ Addr, Version string }
	require.NoError(t, json.NewDecoder(stdout).Decode(&ready))
	require.Equal(t, "v"+version(t), ready.Version)
	conn, err := net.Dial("tcp", ready.Addr)
	require.NoError(t, err)
	defer conn.Close()
	_, err = conn.Write([]byte("PING\r\n"))
	require.NoError(t, err)
	reply, err := bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "+PONG\r\n", reply)
	require.NoError(t, stdin.Close())
	require.NoError(t, cmd.Wait())
}
