package load

import (
	"encoding/json"
	"io"
	"net"
	"time"
)

// answerTime is how long [Do] waits for all its replies.
const answerTime = 10 * time.Second

// Do sends the commands over a connection of its own, one after the other. An error reply is an error.
func Do(addr string, commands ...[]string) error {
	c, err := net.DialTimeout("tcp", addr, answerTime)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return err
	}
	for _, args := range commands {
		if err := do(c, args); err != nil {
			return err
		}
	}
	return nil
}

// do is one command: a connection of one worker that sends it once.
func do(c net.Conn, args []string) error {
	spec := Spec{Steps: []Step{{Args: args}}, Batch: 1}
	one := newConn(c, &spec, 0)
	if err := one.send(); err != nil {
		return err
	}
	for {
		done, err := one.receive()
		if err != nil || done {
			return err
		}
	}
}

// Main is the process that generates the load: it reads a [Spec] as JSON, runs it and writes the [Result] as JSON.
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
