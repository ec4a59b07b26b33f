package compat

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// A process that reads one line can connect, and the server ends when that process closes the pipe.
func TestReadyJSON_ExitWithStdin(t *testing.T) {
	cmd := testenv.EndWithParent(exec.Command(minilockdBinary(t), "--addr", "127.0.0.1:0", "--ready-json",
		"--exit-with-stdin"))
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	output := bufio.NewReader(stdout)
	line, err := output.ReadBytes('\n')
	require.NoError(t, err)
	var ready struct {
		Port          int
		Addr, Version string
		PID           int
		Redis         string `json:"redis_version"`
	}
	require.NoError(t, json.Unmarshal(line, &ready))
	require.Equal(t, fmt.Sprintf("127.0.0.1:%d", ready.Port), ready.Addr)
	require.Equal(t, cmd.Process.Pid, ready.PID)
	require.Equal(t, emulate.Named("").Version, ready.Redis)
	require.NotEmpty(t, ready.Version)

	nc, err := net.Dial("tcp", ready.Addr)
	require.NoError(t, err)
	defer nc.Close()
	_, err = nc.Write([]byte("PING\r\n"))
	require.NoError(t, err)
	reply, err := bufio.NewReader(nc).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "+PONG\r\n", reply)

	require.NoError(t, stdin.Close())
	rest, err := output.ReadString('\n')
	require.Error(t, err)
	require.Empty(t, rest, "there is no other line")
	require.NoError(t, cmd.Wait())
}

// launcher is how the block of a language in docs/binary.md becomes a program.
type launcher struct {
	file, before, after string
	command             []string
}

// launchers are the languages of the page. After the block, the program connects to port and ends the server.
var launchers = map[string]launcher{
	"python": {"start.py", "", `
import socket
with socket.create_connection(("127.0.0.1", port)) as s:
    s.sendall(b"PING\r\n")
    assert s.recv(7) == b"+PONG\r\n"
server.stdin.close()
assert server.wait() == 0
`, []string{"python3"}},
	"js": {"start.js", "async function main() {\n", `
const socket = require('node:net').connect(port, '127.0.0.1');
socket.write('PING\r\n');
const [reply] = await once(socket, 'data');
if (reply.toString() !== '+PONG\r\n') throw new Error(reply.toString());
socket.destroy();
server.stdin.end();
const [status] = await once(server, 'exit');
if (status !== 0) throw new Error('status ' + status);
}
main().catch((error) => { console.error(error); process.exit(1); });
`, []string{"node"}},
	"java": {"Start.java", "public class Start {\npublic static void main(String[] args) throws Exception {\n", `
try (java.net.Socket socket = new java.net.Socket("127.0.0.1", port)) {
  socket.getOutputStream().write("PING\r\n".getBytes());
  if (!new String(socket.getInputStream().readNBytes(7)).equals("+PONG\r\n")) throw new Error("no PONG");
}
server.getOutputStream().close();
if (server.waitFor() != 0) throw new Error("status " + server.exitValue());
}
}
`, []string{"java"}},
}

// The examples of docs/binary.md that start the binary do so.
func TestReadyJSON_Examples(t *testing.T) {
	path := filepath.Dir(minilockdBinary(t)) + string(os.PathListSeparator) + os.Getenv("PATH")
	for language, l := range launchers {
		t.Run(language, func(t *testing.T) {
			testenv.RequirePrograms(t, l.command...)
			file := filepath.Join(t.TempDir(), l.file)
			require.NoError(t, os.WriteFile(file, []byte(l.before+launchBlock(t, language)+l.after), 0o600))
			cmd := exec.Command(l.command[0], file)
			cmd.Env = append(os.Environ(), "PATH="+path)
			t.Log(testenv.Run(t, cmd))
		})
	}
}

// launchBlock returns the block in a language that starts the binary.
func launchBlock(t *testing.T, language string) string {
	t.Helper()
	for _, b := range blocks(t, language) {
		if strings.Contains(b.text, "--ready-json") {
			return b.text
		}
	}
	require.Fail(t, "no block", language)
	return ""
}
