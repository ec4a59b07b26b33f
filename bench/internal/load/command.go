package load

import (
	"encoding/json"
	"io"
)

// Do sends the commands over a new connection, one after the other. An error reply is an error.
func Do(p Place, commands ...[]string) error {
	at, err := reach(p)
	if err != nil {
		return err
	}
	defer at.close()
	return do(at, commands)
}

// Ask sends one command over a new connection and returns the raw reply.
func Ask(p Place, args ...string) (reply []byte, err error) {
	at, err := reach(p)
	if err != nil {
		return nil, err
	}
	defer at.close()
	t, err := at.open()
	if err != nil {
		return nil, err
	}
	defer t.Close()
	c := newConn(t, &Spec{Steps: []Step{{Args: args}}, Batch: 1}, 0)
	c.copyTo = &reply
	err = c.round()
	return reply, err
}

// do sends the commands over one connection, each by a new worker that sends it once: a command is a batch of its own,
// with the same checks of its reply as in a run.
func do(at site, commands [][]string) error {
	t, err := at.open()
	if err != nil {
		return err
	}
	defer t.Close()
	for _, args := range commands {
		if err := newConn(t, &Spec{Steps: []Step{{Args: args}}, Batch: 1}, 0).round(); err != nil {
			return err
		}
	}
	return nil
}

// Main is the process that generates the load, of its own so that its CPU time is known: it reads a [Spec] as JSON,
// runs it and writes the [Result] as JSON.
func Main(in io.Reader, out io.Writer) error {
	var spec Spec
	if err := json.NewDecoder(in).Decode(&spec); err != nil {
		return err
	}
	result, err := Run(spec)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(result)
}
