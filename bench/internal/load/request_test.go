package load

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestRequest_SetKey_SetsEveryPosition(t *testing.T) {
	r := newRequest([]string{"EVALSHA", "lock:" + KeyDigits, "channel:{lock:" + KeyDigits + "}", "holder:" + HolderDigits},
		17)
	r.setKey(42)
	require.Equal(t,
		"*4\r\n$7\r\nEVALSHA\r\n$11\r\nlock:000042\r\n$21\r\nchannel:{lock:000042}\r\n$13\r\nholder:000017\r\n",
		string(r.bytes))
	r.setKey(1_234_567)
	require.Equal(t,
		"*4\r\n$7\r\nEVALSHA\r\n$11\r\nlock:234567\r\n$21\r\nchannel:{lock:234567}\r\n$13\r\nholder:000017\r\n",
		string(r.bytes))
}
