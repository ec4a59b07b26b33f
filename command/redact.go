package command

import "slices"

// hidden stands in the logs where a client sent a secret.
var hidden = []byte("(redacted)")

// redacted is the words of the call as the slow log and MONITOR show them: without passwords.
func (c *Call) redacted() [][]byte {
	secret := c.Cmd.secret
	if secret == nil {
		return c.Args
	}
	words := slices.Clone(c.Args)
	for i := range words {
		if i > 0 && secret(c, i) {
			words[i] = hidden
		}
	}
	return words
}

// allSecret hides every word: AUTH.
func allSecret(*Call, int) bool { return true }

// allButSub hides all but the name of the subcommand: ACL SETUSER.
func allButSub(_ *Call, i int) bool { return i > 1 }

// afterAuth hides the user and the password of HELLO's AUTH.
func afterAuth(c *Call, i int) bool { return c.Is(i-1, "auth") && i > 2 || c.Is(i-2, "auth") && i > 3 }

// secretSetting hides the values of parameters that are passwords: CONFIG SET.
func secretSetting(c *Call, i int) bool {
	return i%2 == 1 && i > 2 && (c.Is(i-1, "requirepass") || c.Is(i-1, "masterauth") || c.Is(i-1, "masteruser"))
}
