package usage

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// outline writes arguments as name:kind with their marks: =TOKEN, ? optional, + multiple, ++ with its token, (…) of a
// oneof or block.
func outline(args []Argument) string {
	parts := make([]string, len(args))
	for i, a := range args {
		s := a.Name + ":" + a.Kind
		if a.Token != "" {
			s += "=" + a.Token
		}
		if a.Optional {
			s += "?"
		}
		if a.Multiple {
			s += "+"
		}
		if a.MultipleToken {
			s += "+"
		}
		if a.Args != nil {
			s += "(" + outline(a.Args) + ")"
		}
		parts[i] = s
	}
	return strings.Join(parts, " ")
}

func TestParseUsage(t *testing.T) {
	for usage, want := range map[string]string{
		"":                "",
		"key":             "key:key",
		"source newkey":   "source:key newkey:key",
		"key [count]":     "key:key count:integer?",
		"key field value": "key:key field:string value:string",
		"key [key ...]":   "key:key+",
		"pattern ...":     "pattern:pattern+",
		"[section ...]":   "section:string?+",
		"[key [key ...]]": "key:key?+",
		"[NX | XX]":       "nx_xx:oneof?(nx:pure-token=NX xx:pure-token=XX)",
		"<ON | OFF>":      "on_off:oneof(on:pure-token=ON off:pure-token=OFF)",
		"<ON|OFF>":        "on_off:oneof(on:pure-token=ON off:pure-token=OFF)",
		"key MIN | MAX [COUNT count]": "key:key min_max:oneof(min:pure-token=MIN max:pure-token=MAX) " +
			"count:integer=COUNT?",
		"key BEFORE | AFTER pivot element": "key:key before_after:oneof(before:pure-token=BEFORE " +
			"after:pure-token=AFTER) pivot:string element:string",
		"A | B | C": "a_b_c:oneof(a:pure-token=A b:pure-token=B c:pure-token=C)",
		"AT time | IN delay x": "time_delay_x:oneof(time:string=AT delay_x:block=IN(delay:string " +
			"x:string))",
		"key field value [field value ...]": "key:key field_value:block+(field:string value:string)",
		"[LIMIT offset count]":              "offset_count:block=LIMIT?(offset:integer count:integer)",
		"[COUNT count [ANY]]":               "count_any:block?(count:integer=COUNT any:pure-token=ANY?)",
		"[GET pattern [GET pattern ...]]":   "pattern:pattern=GET?++",
		"[EX seconds | PX milliseconds | EXAT unix-time-seconds | KEEPTTL]": "seconds_milliseconds_unix-time-seconds_" +
			"keepttl:oneof?" +
			"(seconds:integer=EX milliseconds:integer=PX unix-time-seconds:unix-time=EXAT keepttl:pure-token=KEEPTTL)",
		"[start [end [BYTE | BIT]]]": "start_end_byte_bit:block?(start:integer end_byte_bit:block?(end:integer " +
			"byte_bit:oneof?(byte:pure-token=BYTE bit:pure-token=BIT)))",
		"[TYPE <NORMAL | PUBSUB>] [ID client-id [client-id ...]]": "normal_pubsub:oneof=TYPE?(normal:pure-token=NORMAL " +
			"pubsub:pure-token=PUBSUB) " +
			"client-id:integer=ID?+",
		"<MAXLEN | MINID> [= | ~] threshold": "maxlen_minid:oneof(maxlen:pure-token=MAXLEN minid:pure-token=MINID) " +
			"equal_approximately:oneof?(equal:pure-token== approximately:pure-token=~) threshold:string",
		"<* | id> field value [field value ...]": "auto-id_id:oneof(auto-id:pure-token=* id:string) " +
			"field_value:block+(field:string value:string)",
		"STREAMS key [key ...] id [id ...]": "key:key=STREAMS+ id:string+",
	} {
		require.Equal(t, want, outline(Parse(usage)), usage)
	}
}
