package replication

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/resp"
)

var errStream = errors.New("the master has sent what is no command")

// file reads a copy of the master's data: its length, and an RDB file.
func (m *master) file() ([]byte, error) {
	line, err := m.line()
	if err != nil {
		return nil, err
	}
	size, ok := num.ParseInt([]byte(strings.TrimPrefix(line, "$")))
	if !ok || size < 0 || line[0] != '$' {
		return nil, errStream
	}
	file := new(bytes.Buffer)
	if _, err := io.CopyN(file, m.in, size); err != nil {
		return nil, err
	}
	m.link.hear()
	return file.Bytes(), nil
}

// stream puts what arrives into the inbox, unit by unit, until the connection ends.
func (m *master) stream() error {
	applying := m.link.inbox.applyAll(m)
	defer applying.Wait()
	defer m.link.inbox.close()
	var u unit
	for inMulti := false; ; {
		args, err := m.command()
		if err != nil {
			return err
		}
		m.link.hear()
		u.data = resp.AppendCommand(u.data, args...)
		switch name := args[0]; {
		case command.EqualFold(name, "multi"):
			inMulti = true
		case command.EqualFold(name, "exec"):
			inMulti = false
		case command.EqualFold(name, "replconf"):
			u.wantsAck = true
		case command.EqualFold(name, "ping"):
		default:
			u.calls = append(u.calls, args)
			u.writes = u.writes || !command.EqualFold(name, "select")
		}
		if !inMulti {
			m.link.inbox.put(u)
			u = unit{}
		}
	}
}

// command reads a command.
func (m *master) command() (args [][]byte, err error) {
	count, err := m.header('*')
	if err != nil {
		return nil, err
	}
	for range count {
		length, err := m.header('$')
		if err != nil {
			return nil, err
		}
		arg := new(bytes.Buffer)
		if _, err := io.CopyN(arg, m.in, length+2); err != nil {
			return nil, err
		}
		args = append(args, arg.Bytes()[:length:length])
	}
	if len(args) == 0 {
		return nil, errStream
	}
	return args, nil
}

// header reads a line with a number.
func (m *master) header(kind byte) (int64, error) {
	line, err := m.in.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	n, ok := num.ParseInt(bytes.TrimSuffix(line[1:], []byte("\r\n")))
	if line[0] != kind || !ok || n < 0 {
		return 0, errStream
	}
	return n, nil
}
