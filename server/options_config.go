package server

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/catalog"
	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/redisconf"
)

// place is where the server listens, according to Options.Config.
type place struct {
	port       string   // empty if not given
	tlsPort    string   // as port
	bind       []string // addresses; * is all of IPv4, ::* all of IPv6, and - before one makes it optional
	socketMode os.FileMode

	asksClients bool // there is a line tls-auth-clients
}

var errManyAddresses = errors.New("Too many bind addresses specified.")

// maxBind is the largest number of addresses that Redis allows.
const maxBind = 16

// readConfig returns the server's parameters from the lines of Config. Those that are also fields of o are copied
// there, unless the field is set, and to o.place.
func (o *Options) readConfig() (*config.Config, error) {
	lines, err := redisconf.Parse(o.Config)
	if err != nil {
		return nil, err
	}
	o.chooseServer(lines)
	config := o.table().NewConfig()
	var input Options
	for _, line := range lines {
		err := config.Load(line.Name, line.Args...)
		if err == nil {
			err = input.take(line)
		}
		if err != nil {
			return nil, line.Wrap(err)
		}
	}
	for _, line := range slices.Backward(lines) { // the last line of a parameter wins
		if err := config.StartError(line.Name); err != nil {
			return nil, line.Wrap(err)
		}
	}
	if o.KeepData {
		config.KeepFile()
	}
	config.Loaded()
	o.place, o.noEffect = input.place, noEffectNames(config, lines)
	o.UnixSocket = cmp.Or(o.UnixSocket, input.UnixSocket)
	if o.further {
		o.UnixSocket = ""
	}
	o.Password = cmp.Or(o.Password, input.Password)
	o.Databases = cmp.Or(o.Databases, input.Databases)
	config.SetFile(o.ConfigFile)
	if o.LogLevel != nil {
		config.SetLogLevel(o.LogLevel)
	}
	return config, cmp.Or(o.loadLimits(config), o.loadTLS(config))
}

// table returns the commands of the server.
func (o *Options) table() *command.Table {
	if o.sentinel {
		return catalog.SentinelTable(o.emulated)
	}
	return catalog.Table(o.emulated)
}

// chooseServer sets o.emulated, on which it depends what the lines may be. A line with another value than the names of
// servers is an error once it is read.
func (o *Options) chooseServer(lines []redisconf.Line) {
	o.emulated = emulate.Named(o.Emulate) // check has found that there is one
	for _, line := range lines {
		if line.Name == "emulate" && o.Emulate == "" && len(line.Args) == 1 {
			o.emulated = cmp.Or(emulate.Named(line.Args[0]), o.emulated)
		}
	}
}

// noEffectNames returns the names of the lines without effect.
func noEffectNames(config *config.Config, lines []redisconf.Line) (names []string) {
	for _, line := range lines {
		if config.Ignored(line.Name) {
			names = append(names, line.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// take sets the field for a line, whose value was checked against the parameter's type.
func (o *Options) take(line redisconf.Line) error {
	switch line.Name {
	case "port":
		o.place.port = line.Args[0]
	case "tls-port":
		o.place.tlsPort = line.Args[0]
	case "tls-auth-clients":
		o.place.asksClients = true
	case "bind":
		o.place.bind = line.Args
		if len(line.Args) > maxBind {
			return errManyAddresses
		}
	case "unixsocket":
		o.UnixSocket = line.Args[0]
	case "unixsocketperm":
		mode, _ := strconv.ParseUint(line.Args[0], 8, 32)
		o.place.socketMode = os.FileMode(mode)
	case "requirepass":
		o.Password = line.Args[0]
	case "databases":
		o.Databases, _ = strconv.Atoi(line.Args[0])
	}
	return nil
}

// loadLimits makes MaxMemory and MaxMemoryPolicy override lines of Config.
func (o *Options) loadLimits(config *config.Config) error {
	if o.MaxMemory != 0 {
		if err := config.Load("maxmemory", strconv.FormatInt(o.MaxMemory, 10)); err != nil {
			return fmt.Errorf("MaxMemory: %w", err)
		}
	}
	if o.MaxMemoryPolicy != "" {
		if err := config.Load("maxmemory-policy", o.MaxMemoryPolicy); err != nil {
			return fmt.Errorf("MaxMemoryPolicy %q: %w", o.MaxMemoryPolicy, err)
		}
	}
	return nil
}
