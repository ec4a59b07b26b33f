package compat

import (
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// rawCases are pipelines whose replies must be the same bytes as from Redis. ECHO end follows each, to find the end.
var rawCases = map[string]string{
	"an empty transaction":              "MULTI\nEXEC",
	"REPLY OFF in a transaction":        "MULTI\nSET a 1\nDEL a\nCLIENT REPLY OFF\nEXEC\nCLIENT REPLY ON\nPING",
	"REPLY OFF and ON in a transaction": "MULTI\nSET a 1\nCLIENT REPLY OFF\nGET a\nCLIENT REPLY ON\nGET a\nEXEC\nPING",
	"REPLY SKIP in a transaction":       "MULTI\nPING\nCLIENT REPLY SKIP\nPING\nEXEC\nPING\nPING",
	"REPLY OFF before a transaction":    "CLIENT REPLY OFF\nMULTI\nPING\nCLIENT REPLY ON\nPING\nEXEC\nPING",
	"REPLY SKIP before EXEC":            "MULTI\nSET a 1\nCLIENT REPLY SKIP\nCLIENT REPLY SKIP\nEXEC\nPING\nPING",
	"REPLY OFF and an aborted EXEC":     "CLIENT REPLY OFF\nMULTI\nNOSUCH\nEXEC\nCLIENT REPLY ON\nPING",
	"HELLO in a transaction": "MULTI\nGET nosuch\nHELLO 3\nGET nosuch\nHGETALL nosuch\nHELLO 2\nGET " +
		"nosuch\nHGETALL nosuch\nEXEC",
	"HELLO fails in a transaction": "MULTI\nHELLO 4\nGET nosuch\nEXEC\nGET nosuch",
	"an error in a transaction":    "SET s x\nMULTI\nLPUSH s 1\nINCR s\nGET s\nEXEC",
	"a script in a transaction": "MULTI\nEVAL \"return {1,{2,'x'},redis.call('GET','undeclared')}\" 0\nSELECT " +
		"1\nGET s\nEXEC\nSELECT 0",
	"a blocking call in a transaction": "DEL l\nMULTI\nBLPOP l 0\nXREAD BLOCK 0 STREAMS l $\nEXEC",
	"HELLO 3": "HELLO 3\nGET nosuch\nHELLO 2\nHELLO 3 AUTH default x SETNAME n\nHELLO 2 " +
		"SETNAME n\nHELLO",
	"HELLO is in the slow log": "CONFIG SET slowlog-log-slower-than 0\nHELLO 3\nHELLO 2\nHELLO\nHELLO 3 " +
		"SETNAME x\nHELLO 2\nCONFIG SET slowlog-log-slower-than 10000",
}

var clientID = regexp.MustCompile(`id\r\n:\d+`)

// Within a transaction, replies are sent in the mode and protocol at that moment. A client that monitors changes no
// reply.
func TestRawPipelines(t *testing.T) {
	ref, target := startReference(t), startTarget(t)
	for _, address := range []string{ref, target} {
		monitor, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer monitor.Close()
		_, err = monitor.Write([]byte("MONITOR\r\n"))
		require.NoError(t, err)
		_, err = monitor.Read(make([]byte, 5))
		require.NoError(t, err)
	}
	for name, pipeline := range rawCases {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, rawReply(t, ref, pipeline), rawReply(t, target, pipeline))
		})
	}
}

// rawReply sends a pipeline over a new connection and returns all bytes that it gets.
func rawReply(t *testing.T, address, pipeline string) string {
	t.Helper()
	nc, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer nc.Close()
	require.NoError(t, nc.SetDeadline(time.Now().Add(testenv.StartTimeout)))
	_, err = nc.Write([]byte(strings.ReplaceAll(pipeline+"\nECHO end\n", "\n", "\r\n")))
	require.NoError(t, err)
	var got strings.Builder
	for b := make([]byte, 4096); !strings.HasSuffix(got.String(), "\r\nend\r\n"); {
		n, err := nc.Read(b)
		require.NoError(t, err, got.String())
		got.Write(b[:n])
	}
	return clientID.ReplaceAllString(got.String(), "id")
}
