package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/redisconf"
	"github.com/minilockd/minilockd/internal/version"
	"github.com/minilockd/minilockd/locks"
)

// The command line is that of redis-server, so that a program that starts redis-server by its path can start minilockd:
// a redis.conf first, then its lines as options, and "-" for lines on the standard input. All of it becomes the text of
// one redis.conf, which package server checks as it checks Options.Config. So an option and a line in a file have the
// same rules, the same errors and, in errors, the same line numbers as with redis-server. Only what is about the
// process is done here: dir, logfile, pidfile, and the options in own.

// own is the options that redis-server does not have, and those that it has in another form (--version, --help).
var own = []redisconf.Flag{
	{Name: "addr"}, {Name: "emulate"}, {Name: "port-file"}, {Name: "log-level"}, {Name: "faults"},
	{Name: "tls-addr"}, {Name: "tls-out"}, {Name: "tls-cert"}, {Name: "tls-key"}, {Name: "tls-ca"},
	{Name: "load", List: true},
	{Name: "ready-json", Switch: true}, {Name: "exit-with-stdin", Switch: true},
	{Name: "lock-history"}, {Name: "http"}, {Name: "http-pprof", Switch: true},
	{Name: "cluster"}, {Name: "sentinel"}, {Name: "replicas"}, {Name: "sentinels"},
	{Name: "version", Switch: true}, {Name: "v", Switch: true}, {Name: "help", Switch: true}, {Name: "h", Switch: true},
}

// usage is what --help prints.
const usage = `Usage: minilockd [redis.conf] [options] [-]
       minilockd locks [--watch] redis://HOST:PORT     print the locks on any Redis; see minilockd locks --help

A Redis server for tests: it keeps everything in memory, and listens on 127.0.0.1:6379.

  --addr HOST:PORT     where to listen, whatever port and bind say; port 0 takes a free port, which is printed
  --emulate NAME       the server to stand for: 7.0, 7.2, 7.4, 8.0, 8.2, 8.4 (Redis), valkey-8.1 or valkey-9.1;
                       without it 8.2
  --port-file FILE     file to write the port to once the server listens; it is removed at the end
  --load FILE          an RDB file, or commands as redis-cli takes them, one a line; may be given several times
  --ready-json         print one line of JSON once the server listens: port, addr, pid, version, emulate,
                       redis_version, page, tls_port, tls_addr, tls_ca, tls_cert, tls_key
  --tls-addr HOST:PORT where to listen for TLS, whatever tls-port says; port 0 takes a free port. Without a certificate
                       the server makes its own, for localhost, 127.0.0.1 and ::1
  --tls-out DIR        folder to write ca.crt, which clients are to trust, client.crt and client.key to;
                       they are removed at the end
  --tls-cert FILE, --tls-key FILE, --tls-ca FILE
                       short for --tls-cert-file, --tls-key-file and --tls-ca-cert-file
  --exit-with-stdin    end when the standard input ends, as it does when the process that started this one ends
  --log-level LEVEL    what to log: debug (connections, commands that fail), info, warn or error
  --faults FILE        rules by which calls, messages and connections go wrong, one on each line as in FAULT.ADD
  --lock-history N     keep the last N events of locks, for LOCK.HISTORY; see docs/locks.md
  --http HOST:PORT     serve a page with locks, clock and faults there, /metrics and /healthz
  --cluster N          a Redis Cluster of N masters in this process, on the port and those that follow
  --sentinel NAME      start replicas and sentinels as well: NAME is that of the master, such as mymaster
  --replicas N         how many replicas each master has: none without it in a cluster, 2 with --sentinel
  --sentinels N        how many sentinels, 3 without it; they listen on port 26379 and those after it, on free ports if
                       --addr has port 0
  --http-pprof         serve Go's profiles as well, at /debug/pprof/
  -v, --version        print the version and end
  -h, --help           print this and end

Any line of redis.conf can be given as an option, as with redis-server:

  --port 7000 --tls-port 7443 --bind 127.0.0.1 ::1 --unixsocket PATH --requirepass PASSWORD --databases N
  --maxmemory 100mb --maxmemory-policy allkeys-lru --notify-keyspace-events KEA --save "" --appendonly no

A first argument without hyphens is the name of a redis.conf, "-" as the first or last one reads lines from the standard
input.
`

// settings is the command line.
type settings struct {
	addr, portFile string
	tls            tlsSettings
	emulate        string   // the server to stand for; empty for the default, or what a line of redis.conf says
	load           []string // files to fill the server from, in this order
	readyJSON      bool
	endsWithInput  bool // --exit-with-stdin
	lockHistory    int
	http           string // where to serve the page; empty for nowhere
	pprof          bool
	onlyErrors     bool // log only errors, whatever loglevel is
	help, version  bool
	config         string // the text of a redis.conf
	keepsData      bool   // in an RDB file, since dir or dbfilename is given
	configFile     string // the name of the redis.conf, if there is one
	process        process
	topology       topology
	faults         faultFile
}

// process is the lines of redis.conf about the process rather than the server: file names, empty for none. They are
// relative to dir, which is the working directory once the lines are read.
type process struct{ logFile, pidFile string }

// errUsage is part of every error about the options in own. It makes the exit status 2; redis-server has only 1.
var errUsage = errors.New("see minilockd --help")

// parse reads the command line, and the files and the standard input that it names. A line dir changes the working
// directory at once, since file names may be relative to it.
func parse(args []string, stdin io.Reader) (set settings, err error) {
	line, err := redisconf.ParseArgs(args, own)
	if err != nil {
		return set, fmt.Errorf("minilockd: %w; %w", err, errUsage)
	}
	flags := line.Flags
	_, set.help = flags[cmp.Or(present(flags, "help"), "h")]
	_, set.version = flags[cmp.Or(present(flags, "version"), "v")]
	_, set.readyJSON = flags["ready-json"]
	_, set.endsWithInput = flags["exit-with-stdin"]
	set.addr, set.emulate, set.portFile = flags["addr"], flags["emulate"], flags["port-file"]
	if present(flags, "emulate") != "" && set.emulate == "" || emulate.Named(set.emulate) == nil {
		return set, fmt.Errorf("minilockd: --emulate must be one of %s: %q; %w", strings.Join(emulate.Names(), ", "),
			set.emulate, errUsage)
	}
	set.http = flags["http"]
	_, set.pprof = flags["http-pprof"]
	if set.help || set.version {
		return set, nil
	}
	if set.endsWithInput && line.Stdin {
		return set, fmt.Errorf("minilockd: --exit-with-stdin and - both read the standard input; %w", errUsage)
	}
	if set.pprof && set.http == "" {
		return set, fmt.Errorf("minilockd: --http-pprof needs --http; %w", errUsage)
	}
	if set.config, err = configText(line, stdin); err != nil {
		return set, err
	}
	if err := set.takeFiles(line); err != nil {
		return set, err
	}
	if err := set.takeTLS(flags); err != nil {
		return set, err
	}
	if err := set.takeLogLevel(flags); err != nil {
		return set, err
	}
	if err := set.takeLockHistory(flags); err != nil {
		return set, err
	}
	if err := set.takeTopology(flags); err != nil {
		return set, err
	}
	lines, err := redisconf.Parse(set.config)
	if err != nil {
		return set, err
	}
	return set, set.follow(lines)
}

// takeFiles reads the rules of faults, and makes the other file names independent of a line dir.
func (set *settings) takeFiles(line redisconf.CommandLine) (err error) {
	if set.configFile, err = absolute(line.File); err != nil {
		return err
	}
	if file, given := line.Flags["faults"]; given {
		if set.faults, err = readFaults(file); err != nil {
			return err
		}
	}
	for _, file := range line.Lists["load"] {
		if file, err = absolute(file); err != nil {
			return err
		}
		set.load = append(set.load, file)
	}
	set.portFile, err = absolute(set.portFile)
	return err
}

// takeLockHistory converts --lock-history.
func (set *settings) takeLockHistory(flags map[string]string) (err error) {
	text, given := flags["lock-history"]
	if !given {
		return nil
	}
	const most = locks.MaxHistory
	if set.lockHistory, err = strconv.Atoi(text); err != nil || set.lockHistory < 1 || set.lockHistory > most {
		return fmt.Errorf("minilockd: --lock-history %s: a number from 1 to %d is expected; %w", text, most, errUsage)
	}
	return nil
}

// present returns name, or "" if there is no such flag. A switch that is given has an empty value, so the value does
// not tell.
func present(flags map[string]string, name string) string {
	if _, given := flags[name]; given {
		return name
	}
	return ""
}

// configText joins file, input and options in this order, as redis-server does, so that line numbers are the same.
func configText(line redisconf.CommandLine, stdin io.Reader) (string, error) {
	var text string
	if line.File != "" {
		file, err := readFile(line.File)
		if err != nil {
			return "", err
		}
		text = file
	}
	if line.Stdin {
		input, err := io.ReadAll(stdin)
		if err != nil {
			return "", fmt.Errorf("minilockd: standard input: %w", err)
		}
		text += string(input)
	}
	if line.Options != "" {
		text += "\n" + line.Options
	}
	return redisconf.Expand(text, readFile)
}

// readFile returns the text of a redis.conf. Its error is worded as by redis-server, with the absolute path.
func readFile(name string) (string, error) {
	text, err := os.ReadFile(name)
	if err == nil {
		return string(text), nil
	}
	if path, absErr := filepath.Abs(name); absErr == nil {
		name = path
	}
	return "", fmt.Errorf("Fatal error, can't open config file '%s': %w", name, reason(err))
}

// reason returns the system's error without the name of the file.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// absolute makes a file name independent of a line dir, which comes into effect later; "" stays "".
func absolute(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	return filepath.Abs(file)
}

// redisLevels maps --log-level to loglevel. Redis has no level for errors only: that is settings.onlyErrors.
var redisLevels = map[string]string{"debug": "debug", "info": "notice", "warn": "warning", "error": "warning"}

// takeLogLevel converts --log-level to a line loglevel. It is the last one, so it overrides those in files and options.
func (set *settings) takeLogLevel(flags map[string]string) error {
	level, given := flags["log-level"]
	if !given {
		return nil
	}
	name := redisLevels[level]
	if name == "" {
		return fmt.Errorf("minilockd: --log-level %s: one of debug, info, warn, error is expected; %w", level, errUsage)
	}
	set.onlyErrors = level == "error"
	set.config += "\nloglevel " + name
	return nil
}

// follow takes the settings of the process from the lines; of several lines with one name the last counts. The server
// checks the values, and the number of arguments: a line with another number than one is an error there. Without a port
// or --addr it adds the port of redis-server, since the default of package server is a free port.
func (set *settings) follow(lines []redisconf.Line) error {
	var port bool
	for _, line := range lines {
		if len(line.Args) != 1 {
			continue
		}
		switch value := line.Args[0]; line.Name {
		case "emulate":
			if set.emulate == "" && emulate.Named(value) != nil {
				set.emulate = value
			}
		case "dbfilename":
			set.keepsData = true
		case "dir":
			set.keepsData = true
			if err := set.changeDir(value); err != nil {
				return line.Wrap(reason(err))
			}
		case "logfile":
			set.process.logFile = value
		case "pidfile":
			set.process.pidFile = value
		case "port":
			port = true
		}
	}
	if !port && set.addr == "" {
		set.config += "\nport 6379"
	}
	return nil
}

// changeDir changes the working directory. The server gets the absolute path: a relative one would count from there.
func (set *settings) changeDir(dir string) error {
	if err := os.Chdir(dir); err != nil {
		return err
	}
	path, err := os.Getwd()
	if err == nil && !filepath.IsAbs(dir) {
		set.config += "\ndir " + strconv.Quote(path)
	}
	return err
}

// printVersion prints the version of the server that minilockd stands for and, on a line of its own, that of minilockd.
// The first line is as in redis-server --version: embedded-redis, redis-memory-server and pytest-redis parse it.
func printVersion(emulated *emulate.Server, stdout io.Writer) {
	fmt.Fprintf(stdout, "%s server v=%s sha=00000000:0 malloc=go bits=%d build=%s\nminilockd %s\n",
		emulated.Title(), emulated.Version, strconv.IntSize, version.BuildID(), version.Module())
}
