// Command minilockd is a Redis server for tests and experiments, which keeps its data in memory, and in an RDB file if
// it is told to. It takes the command line of
// redis-server, and a few options of its own: see minilockd --help.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/redisconf"
	"github.com/minilockd/minilockd/internal/version"
	"github.com/minilockd/minilockd/server"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run returns the exit status: 0 after a shutdown by signal or SHUTDOWN, 1 for what redis-server would reject, too, and
// for a server that cannot start, 2 for errors in the options that only minilockd has.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "locks" {
		return runLocks(args[1:], stdout, stderr)
	}
	set, err := parse(args, stdin)
	switch {
	case err != nil:
	case set.help:
		fmt.Fprint(stdout, usage)
		return 0
	case set.version:
		printVersion(emulate.Named(set.emulate), stdout)
		return 0
	default:
		err = serveUntilSignal(set, stdin, stdout, stderr)
	}
	if err == nil {
		return 0
	}
	fmt.Fprintln(stderr, explain(err, emulate.Named(set.emulate)))
	if errors.Is(err, errUsage) {
		return 2
	}
	return 1
}

// explain formats an error in a line of the configuration as the server does that minilockd stands for.
func explain(err error, server *emulate.Server) string {
	var bad *redisconf.Error
	if !errors.As(err, &bad) {
		return err.Error()
	}
	return fmt.Sprintf("\n*** FATAL CONFIG FILE ERROR (%s %s) ***\n"+
		"Reading the configuration file, at line %d\n>>> '%s'\n%v",
		server.Title(), server.Version, bad.Line.Number, bad.Line.Text, bad.Err)
}

// serveUntilSignal sets up the log and the signals, then serves. The log goes to logfile, or to standard error:
// standard output has only the lines that other programs wait for, see serve. SIGINT and SIGTERM end the server as
// SHUTDOWN does, and so does the end of the standard input if the settings say so.
func serveUntilSignal(set settings, stdin io.Reader, stdout, stderr io.Writer) error {
	if set.process.logFile != "" {
		file, err := os.OpenFile(set.process.logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
		if err != nil {
			return fmt.Errorf("Can't open the log file: %w", reason(err))
		}
		defer file.Close()
		stderr = file
	}
	level := new(slog.LevelVar)
	handler := &slog.HandlerOptions{Level: level}
	if set.onlyErrors {
		handler.Level = slog.LevelError
	}
	log := slog.New(slog.NewTextHandler(stderr, handler))
	// As with redis-server, a terminal that closes, or a reader of the output that has gone, does not end the server.
	signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if set.endsWithInput {
		go func() {
			_, _ = io.Copy(io.Discard, stdin) // an error is an end, too
			stop()
		}()
	}
	return serve(ctx, set, log, level, stdout)
}

// serve runs a server until ctx ends or a client sends SHUTDOWN. If level is not nil, it is set to loglevel. The files
// with the port and the process ID are written once the server listens, and removed at the end; an error in writing
// them ends the server.
func serve(ctx context.Context, set settings, log *slog.Logger, level *slog.LevelVar, stdout io.Writer) error {
	tuneCollector()
	files, closeFiles, err := openAll(set.load)
	if err != nil {
		return err
	}
	defer closeFiles()
	run, err := set.start(ctx, server.Options{
		Addr: set.addr, TLS: set.tls.options(), Emulate: set.emulate,
		Config: set.config, KeepData: set.keepsData, ConfigFile: set.configFile, LogLevel: level, Logger: log,
		Faults: set.faults.rules(), Seed: files, LockHistory: set.historyOrDefault(),
	})
	switch {
	case errors.Is(err, context.Canceled): // a signal while files are loaded
		return nil
	case err != nil:
		return set.faults.explain(err)
	}
	defer run.close()
	s := run.first
	page, err := set.servePage(s, log)
	if err != nil {
		return err
	}
	tls, removeTLS, err := set.tls.write(s)
	if err != nil {
		return err
	}
	defer removeTLS()
	removePort, err := writePort(set.portFile, s.Addr())
	if err != nil {
		return err
	}
	defer removePort()
	removePID, err := writeNumber("pid file", set.process.pidFile, fmt.Sprint(os.Getpid()))
	if err != nil {
		return err
	}
	defer removePID()
	log.Info("Ready to accept connections", "address", s.Addr())
	// This comes last: a process that reads it may read the port file next.
	r := newReady(s, page, tls)
	run.describe(&r)
	r.log(log)
	if err := printReady(set, r, stdout); err != nil {
		return err
	}
	run.await(ctx)
	log.Info("minilockd ends")
	return nil
}

// openAll opens files for reading. The returned function closes them.
func openAll(names []string) (readers []io.Reader, closeAll func(), err error) {
	var files []*os.File
	closeAll = func() {
		for _, file := range files {
			_ = file.Close()
		}
	}
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			closeAll()
			return nil, nil, fmt.Errorf("minilockd: --load: %w", err)
		}
		files, readers = append(files, file), append(readers, file)
	}
	return readers, closeAll, nil
}

// printReady prints that the server listens. Libraries that start test servers look for the second line, which is in
// the output of redis-server, too.
func printReady(set settings, r ready, stdout io.Writer) error {
	if !set.readyJSON {
		listens := r.Addr
		if len(r.Nodes) > 0 {
			listens = strings.Join(r.Nodes, " ")
		}
		fmt.Fprintf(stdout, "minilockd listens on %s\n", listens)
		if r.tlsReady.Addr != "" {
			fmt.Fprintf(stdout, "minilockd listens for TLS on %s\n", r.tlsReady.Addr)
		}
		fmt.Fprintln(stdout, "Ready to accept connections")
		return nil
	}
	if _, port, err := net.SplitHostPort(r.Addr); err == nil && r.Addr != r.tlsReady.Addr { // else it is a path
		r.Port, _ = strconv.Atoi(port)
	}
	return json.NewEncoder(stdout).Encode(r)
}

func newReady(s *server.Server, page string, tls tlsReady) ready {
	return ready{Addr: s.Addr(), PID: os.Getpid(), Version: version.Module(), Emulate: s.Emulate(),
		Redis: emulate.Named(s.Emulate()).RedisVersion(), Page: page, tlsReady: tls}
}

// ready is the line of --ready-json.
type ready struct {
	Port    int      `json:"port"` // 0 if the server listens on a Unix domain socket or for TLS only
	Addr    string   `json:"addr"`
	Nodes   []string `json:"nodes,omitempty"` // the addresses of all nodes of a cluster, Addr included
	PID     int      `json:"pid"`
	Version string   `json:"version"`
	Emulate string   `json:"emulate"`
	Redis   string   `json:"redis_version"`
	Page    string   `json:"page,omitempty"` // the URL of the page of --http

	Master    string   `json:"master,omitempty"` // its name, with --sentinel
	Replicas  []string `json:"replicas,omitempty"`
	Sentinels []string `json:"sentinels,omitempty"`

	tlsReady
}

// tuneCollector uses more memory for less CPU time, unless GOGC is set: the heap may grow to five times the live data
// before the next collection. Go collects at twice the live data, which is often where a server has little data.
func tuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
