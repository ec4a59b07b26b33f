// Command minilockd is a Redis server in one process without files, for tests and for a look around with redis-cli.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/minilockd/minilockd/server"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// settings are what the command line says.
type settings struct {
	addr, unixSocket, portFile, password string
	databases                            int
	logLevel                             slog.Level
	version                              bool
}

func run(args []string, stdout, stderr io.Writer) int {
	set, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case set.version:
		fmt.Fprintln(stdout, "minilockd", version())
		return 0
	}
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: set.logLevel}))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, set, log, stdout); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

func parse(args []string, stderr io.Writer) (settings, error) {
	set := settings{}
	flags := flag.NewFlagSet("minilockd", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&set.addr, "addr", "127.0.0.1:6379", "`address` to listen on, host:port; port 0 takes a free one and prints it")
	flags.StringVar(&set.unixSocket, "unixsocket", "", "`path` of a Unix domain socket to listen on as well")
	flags.StringVar(&set.portFile, "port-file", "", "`file` to write the port to once the server listens")
	flags.StringVar(&set.password, "requirepass", "", "`password` that clients must give")
	flags.IntVar(&set.databases, "databases", 16, "`number` of databases")
	flags.TextVar(&set.logLevel, "log-level", slog.LevelInfo, "what to log: debug, info, warn or error (`level`)")
	flags.BoolVar(&set.version, "version", false, "print the version and end")
	if err := flags.Parse(args); err != nil {
		return set, err
	}
	if flags.NArg() > 0 || set.databases < 1 {
		fmt.Fprintf(stderr, "minilockd: no such argument: %q; see --help\n", flags.Args())
		return set, errors.New("usage")
	}
	return set, nil
}

// serve runs a server until ctx ends or a client sends SHUTDOWN.
func serve(ctx context.Context, set settings, log *slog.Logger, stdout io.Writer) error {
	tuneCollector()
	s, err := server.Start(ctx, server.Options{Addr: set.addr, UnixSocket: set.unixSocket, Password: set.password, Databases: set.databases, Logger: log})
	if err != nil {
		return err
	}
	defer s.Close()
	if set.portFile != "" {
		if err := writePort(set.portFile, s.Addr()); err != nil {
			return err
		}
	}
	fmt.Fprintf(stdout, "minilockd listens on %s\n", s.Addr()) // last: who reads it may look for the file
	<-s.Done()
	log.Info("minilockd ends")
	return nil
}

// tuneCollector trades memory for time, unless the environment says otherwise: the process has nothing else to do.
func tuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
