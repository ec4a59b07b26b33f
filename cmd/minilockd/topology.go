package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/internal/redisconf"
	"github.com/minilockd/minilockd/server"
)

// topology is the servers that the process runs besides a single one: --cluster or --sentinel, with --replicas and
// --sentinels.
type topology struct {
	masters   int    // of a cluster; 0 for none
	name      string // of the master that sentinels watch; empty for none
	replicas  int    // of each master
	sentinels int
}

// The numbers without --replicas and --sentinels, where there are sentinels.
const defaultReplicas, defaultSentinels = 2, 3

// maxNodes is the largest number of masters, of replicas of each, and of sentinels.
const maxNodes = 1000

// firstSentinelPort is the port of the first sentinel.
const firstSentinelPort = 26379

// takeTopology converts --cluster, --sentinel, --replicas and --sentinels.
func (set *settings) takeTopology(flags map[string]string) (err error) {
	t := &set.topology
	if t.masters, err = countFlag(flags, "cluster", 1, 0); err != nil {
		return err
	}
	t.name = flags["sentinel"]
	_, watched := flags["sentinel"]
	switch {
	case watched && t.name == "":
		return fmt.Errorf("minilockd: --sentinel needs the name of the master; %w", errUsage)
	case watched && t.masters > 0:
		return fmt.Errorf("minilockd: --cluster and --sentinel exclude each other; %w", errUsage)
	case !watched && present(flags, "sentinels") != "":
		return fmt.Errorf("minilockd: --sentinels needs --sentinel; %w", errUsage)
	case !watched && t.masters == 0 && present(flags, "replicas") != "":
		return fmt.Errorf("minilockd: --replicas needs --cluster or --sentinel; %w", errUsage)
	}
	replicas := 0
	if watched {
		replicas = defaultReplicas
	}
	if t.replicas, err = countFlag(flags, "replicas", 0, replicas); err != nil {
		return err
	}
	t.sentinels, err = countFlag(flags, "sentinels", 1, defaultSentinels)
	return err
}

// countFlag parses a flag whose value is a number; it returns missing if it is not given.
func countFlag(flags map[string]string, name string, least, missing int) (int, error) {
	text, given := flags[name]
	if !given {
		return missing, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > maxNodes {
		return 0, fmt.Errorf("minilockd: --%s %s: a number from %d to %d is expected; %w", name, text, least, maxNodes,
			errUsage)
	}
	return n, nil
}

// running is the servers that the process runs.
type running struct {
	first    *server.Server // it stands for all
	all      []*server.Server
	close    func()
	describe func(r *ready) // adds the addresses of the others
}

// start starts the server, the nodes of a cluster, or a master with its replicas and sentinels.
func (set *settings) start(ctx context.Context, o server.Options) (running, error) {
	switch {
	case set.topology.masters > 0:
		return set.topology.startCluster(ctx, o)
	case set.topology.name != "":
		return set.topology.startSentinels(ctx, o)
	}
	s, err := server.Start(ctx, o)
	if err != nil {
		return running{}, err
	}
	return running{first: s, all: []*server.Server{s}, close: func() { _ = s.Close() }, describe: func(*ready) {}}, nil
}

func (t *topology) startCluster(ctx context.Context, o server.Options) (r running, err error) {
	if o.Addr, o.Config, err = clusterPlace(o.Addr, o.Config); err != nil {
		return r, err
	}
	c, err := server.NewCluster(ctx, t.masters, t.replicas, o)
	if err != nil {
		return r, err
	}
	return running{c.Servers()[0], c.Servers(), c.Close, func(r *ready) { r.Nodes = c.Addrs() }}, nil
}

func (t *topology) startSentinels(ctx context.Context, o server.Options) (r running, err error) {
	of := server.SentinelOptions{Name: t.name, Replicas: t.replicas, Sentinels: t.sentinels}
	if !strings.HasSuffix(o.Addr, ":0") {
		for i := range of.Sentinels {
			of.Addrs = append(of.Addrs, net.JoinHostPort("127.0.0.1", strconv.Itoa(firstSentinelPort+i)))
		}
	}
	group, err := server.NewSentinelGroup(ctx, of, o)
	if err != nil {
		return r, err
	}
	all := append(group.Servers(), group.Sentinels()...)
	return running{all[0], all, group.Close, func(r *ready) {
		r.Master, r.Sentinels = group.Name(), group.Addrs()
		for _, replica := range group.Servers()[1:] {
			r.Replicas = append(r.Replicas, replica.Addr())
		}
	}}, nil
}

// await waits until all servers have ended, since a test may end one of them, or until ctx ends.
func (r *running) await(ctx context.Context) {
	for _, s := range r.all {
		select {
		case <-ctx.Done():
			<-s.Done()
			return
		case <-s.Done():
		}
	}
}

// log logs the addresses of the other servers.
func (r *ready) log(log *slog.Logger) {
	switch {
	case len(r.Nodes) > 0:
		log.Info("the nodes of the cluster", "addresses", r.Nodes)
	case r.Master != "":
		log.Info("sentinels watch", "master", r.Master, "address", r.Addr, "replicas", r.Replicas, "sentinels", r.Sentinels)
	}
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
