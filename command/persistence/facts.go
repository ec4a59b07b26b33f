// Package persistence has the RDB file of a server: the commands that write it, and the save points. It is a part of
// the server, not an API.
package persistence

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/rdbfile"
	"github.com/minilockd/minilockd/store"
)

// Facts are what a file of the server says besides the keys. The caller may add those about replication.
func Facts(env *command.Env, tx *store.Tx) *rdbfile.Facts {
	f := &rdbfile.Facts{Server: env.Table.Server, MadeAt: tx.Now(), Memory: tx.Memory(),
		NoChecksum: !env.Config.RDBChecksum()}
	for _, library := range env.Scripts.Functions.Libraries() {
		f.Libraries = append(f.Libraries, library.Source)
	}
	return f
}

// File returns the keys and function libraries of a server as an RDB file.
func File(env *command.Env) (file []byte) {
	env.Store.Exclusively(func(tx *store.Tx) { file = rdbfile.Append(nil, tx, Facts(env, tx)) })
	return file
}
