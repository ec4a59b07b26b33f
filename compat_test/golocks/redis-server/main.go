// Command redis-server is minilockd behind as much of redis-server's command line as test suites need that start one: the
// configuration comes by stdin (the argument "-"), of which port, bind, unixsocket, requirepass and databases count.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/minilockd/minilockd/server"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves until ctx ends or a client sends SHUTDOWN.
func run(ctx context.Context, config io.Reader, stdout io.Writer) error {
	options, err := read(config)
	if err != nil {
		return err
	}
	s, err := server.Start(ctx, options)
	if err != nil {
		return err
	}
	defer s.Close()
	fmt.Fprintln(stdout, "* The server is now ready to accept connections") // what tempredis waits for
	<-s.Done()
	return nil
}

// read takes from a configuration what minilockd knows. Port 0, which is no port to redis-server, is a free one here.
func read(config io.Reader) (o server.Options, err error) {
	host, port := "127.0.0.1", "6379"
	lines := bufio.NewScanner(config)
	for lines.Scan() && err == nil {
		name, value, _ := strings.Cut(lines.Text(), " ")
		switch value = strings.Trim(value, `"`); name {
		case "port":
			port = value
		case "bind":
			host = value
		case "unixsocket":
			o.UnixSocket = value
		case "requirepass":
			o.Password = value
		case "databases":
			o.Databases, err = strconv.Atoi(value)
		}
	}
	o.Addr = net.JoinHostPort(host, port)
	if err == nil {
		err = lines.Err()
	}
	return o, err
}
