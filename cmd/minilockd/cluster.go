package main

import (
	"context"
	"fmt"
	"net"
	"strconv"

	"github.com/minilockd/minilockd/internal/redisconf"
	"github.com/minilockd/minilockd/server"
)

// topology is the servers that the process runs besides a single one: --cluster and --replicas.
type topology struct {
	masters  int // 0 for no cluster
	replicas int // of each master
}

// maxNodes is the largest number of masters, and of replicas of each.
const maxNodes = 1000

// takeTopology converts --cluster and --replicas.
func (set *settings) takeTopology(flags map[string]string) (err error) {
	if set.topology.masters, err = countFlag(flags, "cluster", 1); err != nil {
		return err
	}
	if set.topology.replicas, err = countFlag(flags, "replicas", 0); err != nil {
		return err
	}
	if present(flags, "replicas") != "" && set.topology.masters == 0 {
		return fmt.Errorf("minilockd: --replicas needs --cluster; %w", errUsage)
	}
	return nil
}

// countFlag parses a flag whose value is a number, 0 if it is not given.
func countFlag(flags map[string]string, name string, least int) (int, error) {
	text, given := flags[name]
	if !given {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > maxNodes {
		return 0, fmt.Errorf("minilockd: --%s %s: a number from %d to %d is expected; %w", name, text, least, maxNodes,
			errUsage)
	}
	return n, nil
}

// start starts the server, or the nodes of a cluster. The first of them is returned: it stands for all.
func (set *settings) start(ctx context.Context, options server.Options) (first *server.Server, nodes []string,
	closeAll func(), err error) {
	if set.topology.masters == 0 {
		s, err := server.Start(ctx, options)
		if err != nil {
			return nil, nil, nil, err
		}
		return s, nil, func() { _ = s.Close() }, nil
	}
	if options.Addr, options.Config, err = clusterPlace(options.Addr, options.Config); err != nil {
		return nil, nil, nil, err
	}
	c, err := server.NewCluster(ctx, set.topology.masters, set.topology.replicas, options)
	if err != nil {
		return nil, nil, nil, err
	}
	return c.Servers()[0], c.Addrs(), c.Close, nil
}

// clusterPlace takes the lines port and bind out of a configuration: each node has a port of its own. It returns the
// address of the first node.
func clusterPlace(addr, config string) (place, rest string, err error) {
	lines, err := redisconf.Parse(config)
	if err != nil {
		return "", "", err
	}
	host, port := "127.0.0.1", "6379"
	for _, line := range lines {
		switch {
		case line.Name == "port" && len(line.Args) == 1:
			port = line.Args[0]
		case line.Name == "bind" && len(line.Args) > 0:
			host = line.Args[0]
		default:
			rest += line.Text + "\n"
		}
	}
	if addr == "" {
		addr = net.JoinHostPort(host, port)
	}
	return addr, rest, nil
}
