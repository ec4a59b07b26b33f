package admin_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

var nameField = regexp.MustCompile(` name=(\w*)`)

// names returns the names in the lines of a CLIENT LIST, or the error.
func names(list string) string {
	if strings.HasPrefix(list, "ERR") {
		return list
	}
	var found []string
	for _, match := range nameField.FindAllStringSubmatch(list, -1) {
		found = append(found, match[1])
	}
	return strings.Join(found, " ")
}

func TestClient_List_ByFilters(t *testing.T) {
	env := commandtest.NewEnvOf(t, "valkey-9.1")
	clients := commandtest.Connect(t, env, 2)
	a, b := clients[0], clients[1]
	a.Want("CLIENT NO-TOUCH ON", "OK", "CLIENT NO-EVICT ON", "OK", "CLIENT SETNAME a", "OK", "SELECT 3", "OK",
		"CLIENT SETINFO LIB-NAME lib", "OK", "CLIENT CAPA REDIRECT", "OK")
	env.Clock.Advance(5 * time.Second)
	b.Want("CLIENT SETNAME b", "OK")
	for filter, want := range map[string]string{
		"":                     "a b",
		"ID 2 1":               "a b",
		"ID 2 ID 1":            "a b",
		"ID 1 NOT-ID 1":        "",
		"NOT-ID 1":             "b",
		"FLAGS eT":             "a",
		"FLAGS N":              "b",
		"FLAGS ex":             "",
		"NOT-FLAGS ex":         "a b",
		"NOT-FLAGS ''":         "",
		"NAME a":               "a",
		"NAME a NAME b":        "b",
		"NOT-NAME a":           "b",
		"NAME ''":              "",
		"LIB-NAME lib":         "a",
		"NOT-LIB-NAME lib":     "b",
		"LIB-VER 1":            "",
		"DB 3":                 "a",
		"NOT-DB 3":             "b",
		"CAPA r":               "a",
		"NOT-CAPA r":           "b",
		"IP 127.0.0.1":         "a b",
		"NOT-IP 127.0.0.1":     "",
		"IDLE 5":               "a",
		"IDLE 6":               "",
		"MAXAGE 5":             "a b",
		"MAXAGE 6":             "",
		"TYPE normal":          "a b",
		"TYPE primary":         "",
		"NOT-TYPE normal":      "",
		"USER default":         "a b",
		"SKIPME yes":           "a",
		"SKIPME yes NAME b":    "",
		"ADDR 127.0.0.1:50001": "a",
		"NOT-ADDR 127.0.0.1:1": "a b",

		"ID x":          "ERR syntax error",
		"ID 0":          "ERR client-id should be greater than 0",
		"NOT-IDLE 1":    "ERR syntax error",
		"NAME":          "ERR syntax error",
		"FLAGS Z":       "ERR Unknown flags found in the provided filter: Z",
		"NOT-FLAGS Z":   "ERR Unknown flags found in the NOT-FLAGS filter: Z",
		"CAPA x":        "ERR Unknown capa found in the provided filter: x",
		"DB 16":         "ERR DB number should be between 0 and 15",
		"NOT-DB x":      "ERR NOT-DB is not an integer or out of range",
		"MAXAGE 0":      "ERR maxage should be greater than 0",
		"IDLE x":        "ERR idle is not an integer or out of range",
		"USER nosuch":   "ERR No such user 'nosuch'",
		"NOT-TYPE none": "ERR Unknown client type 'none'",
	} {
		require.Equal(t, want, names(b.Do(strings.TrimSpace("CLIENT LIST "+filter))), filter)
	}
	b.Want("CLIENT KILL ID 7 8 DB 3", "0", "CLIENT KILL ID 1 8 NOT-DB 3", "0", "CLIENT KILL ID 1 8 DB 3", "1")
}

// Redis has fewer filters, and in CLIENT LIST only one of two.
func TestClient_Filters_OfRedis(t *testing.T) {
	for server, maxAge := range map[string]string{"7.2": "ERR syntax error", "8.2": "0"} {
		env := commandtest.NewEnvOf(t, server)
		c := commandtest.NewClient(t, env)
		c.Want("CLIENT KILL MAXAGE 100", maxAge, "CLIENT KILL NAME a", "ERR syntax error",
			"CLIENT KILL ID 7 8", "ERR syntax error", "CLIENT KILL ID x", "ERR client-id should be greater than 0",
			"CLIENT KILL TYPE primary", "ERR Unknown client type 'primary'",
			"CLIENT LIST USER default", "ERR syntax error", "CLIENT LIST ID x", "ERR Invalid client ID",
			"CLIENT LIST ID 0", `""`, "CLIENT LIST ID 7 TYPE normal", "ERR Invalid client ID")
	}
}

func TestClient_ImportSource(t *testing.T) {
	env := commandtest.NewEnvOf(t, "valkey-8.1")
	c := commandtest.NewClient(t, env)
	c.Want("CLIENT IMPORT-SOURCE ON", "ERR Server is not in import mode", "CLIENT IMPORT-SOURCE OFF", "OK",
		"CONFIG SET import-mode yes", "OK", "CLIENT IMPORT-SOURCE MAYBE", "ERR syntax error",
		"CLIENT IMPORT-SOURCE ON", "OK")
	require.Contains(t, c.Do("CLIENT INFO"), " flags=I capa= ")
}

func TestClient_Info_CountsCallsAndWatchedKeys(t *testing.T) {
	env := commandtest.NewEnvOf(t, "8.2")
	c := commandtest.NewClient(t, env)
	c.Do("WATCH a b")
	require.Contains(t, c.Do("CLIENT INFO"), " watch=2 ")
	c.Do("NOSUCH")
	require.Contains(t, c.Do("CLIENT INFO"), " tot-cmds=2\\n")
	c.Do("UNWATCH")
	require.Contains(t, c.Do("CLIENT INFO"), " watch=0 ")
}
