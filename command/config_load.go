package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/internal/redisconf"
)

var errConfigWords = errors.New("wrong number of arguments")

// refusedAtStart says why a server can't start with some values. What is not here is taken, if only to be shown.
var refusedAtStart = map[string]struct {
	allowed string // the only value that can be had
	reason  error
}{
	"daemonize":       {"no", errors.New("minilockd stays in the foreground: it does not go to the background by itself")},
	"appendonly":      {"no", errors.New("minilockd keeps no files: there is no append only file")},
	"cluster-enabled": {"no", errors.New("minilockd has no cluster mode")},
	"tls-port":        {"0", errors.New("minilockd does not speak TLS")},
	"replicaof":       {"no one", errors.New("minilockd can't be a replica")},
	"aclfile":         {"", errors.New("minilockd reads no ACL file")},
}

// unsupportedDirectives are lines of redis.conf that are no parameters, and can't be honoured.
var unsupportedDirectives = map[string]error{
	"loadmodule":     errors.New("minilockd loads no modules"),
	"rename-command": errors.New("minilockd can't rename commands"),
	"sentinel":       errors.New("minilockd has no Sentinel mode"),
	"user":           errors.New("minilockd takes no users from its configuration: use ACL SETUSER"),
}

// severalWords are the parameters whose value is all words of their line.
var severalWords = nameSet("bind client-output-buffer-limit latency-tracking-info-percentiles oom-score-adj-values replicaof save")

// startOnly are parameters that a redis.conf may have and the table does not: they are taken, whatever their value, and forgotten.
var startOnly = nameSet(`
	aclfile active-defrag-cycle-max active-defrag-cycle-min active-defrag-ignore-bytes active-defrag-max-scan-fields
	active-defrag-threshold-lower active-defrag-threshold-upper active-expire-effort activedefrag activerehashing
	aof-disable-auto-gc aof-load-truncated aof-rewrite-incremental-fsync aof-timestamp-enabled aof-use-rdb-preamble
	aof_rewrite_cpulist appendfsync auto-aof-rewrite-min-size auto-aof-rewrite-percentage bgsave_cpulist bind-source-addr
	bio_cpulist cluster-allow-pubsubshard-when-down cluster-allow-reads-when-down cluster-allow-replica-migration
	cluster-announce-bus-port cluster-announce-hostname cluster-announce-ip cluster-announce-port
	cluster-announce-tls-port cluster-config-file cluster-link-sendbuf-limit cluster-migration-barrier
	cluster-node-timeout cluster-port cluster-preferred-endpoint-type cluster-replica-no-failover
	cluster-replica-validity-factor cluster-require-full-coverage cluster-slave-no-failover cluster-slave-validity-factor
	crash-log-enabled crash-memcheck-enabled dbfilename dir disable-thp enable-module-command enable-protected-configs
	ignore-warnings io-threads-do-reads jemalloc-bg-thread latency-tracking-info-percentiles no-appendfsync-on-rewrite
	oom-score-adj oom-score-adj-values proc-title-template propagation-error-behavior rdb-del-sync-files
	rdb-save-incremental-fsync rdbcompression repl-backlog-ttl repl-disable-tcp-nodelay repl-diskless-load
	repl-diskless-sync repl-diskless-sync-delay repl-diskless-sync-max-replicas replica-announce-ip replica-announce-port
	replica-announced replica-ignore-disk-write-errors replica-ignore-maxmemory replica-lazy-flush replica-priority
	replica-read-only replica-serve-stale-data server_cpulist set-proc-title shutdown-on-sigint shutdown-on-sigterm
	shutdown-timeout slave-announce-ip slave-announce-port slave-ignore-maxmemory slave-lazy-flush slave-priority
	slave-read-only slave-serve-stale-data socket-mark-id syslog-enabled syslog-facility syslog-ident tls-auth-clients
	tls-ca-cert-dir tls-ca-cert-file tls-cert-file tls-ciphers tls-ciphersuites tls-client-cert-file tls-client-key-file
	tls-client-key-file-pass tls-cluster tls-dh-params-file tls-key-file tls-key-file-pass tls-prefer-server-ciphers
	tls-protocols tls-replication tls-session-cache-size tls-session-cache-timeout tls-session-caching unixsocketperm
`)

func nameSet(list string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// Load sets a parameter as a line of redis.conf does, before the server starts: those that CONFIG SET may not change as well. The
// error is what Redis says below the line. Further lines of save add to the first.
func (c *Config) Load(name string, args ...string) error {
	name = strings.ToLower(name)
	if err := unsupportedDirectives[name]; err != nil && len(args) > 0 {
		return err
	}
	p := parameterNamed(name)
	switch {
	case p == nil && !startOnly[name]:
		return redisconf.ErrDirective
	case p != nil:
		name = p.name
	}
	if len(args) == 0 || len(args) > 1 && !severalWords[name] {
		return errConfigWords
	}
	if p == nil {
		return nil
	}
	return c.load(p, strings.Join(args, " "))
}

func (c *Config) load(p *parameter, value string) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.kind != nil {
		if value, err = p.check(value, c.values[p.name]); err != nil {
			return err
		}
	}
	if p.name == "save" && value != "" && c.saveLoaded {
		value = strings.TrimLeft(c.values[p.name]+" "+value, " ")
	}
	c.saveLoaded = c.saveLoaded || p.name == "save"
	c.store(p, value)
	return nil
}

// StartError says why a server can't start with a value that Load has taken, nil if it can: for the last line of a name, since an
// earlier one has no effect.
func StartError(name string, args ...string) error {
	value := strings.Join(args, " ")
	if refused, found := refusedAtStart[canonicalName(name)]; found && !strings.EqualFold(value, refused.allowed) {
		return refused.reason
	}
	return nil
}

// Inert reports whether the parameter changes nothing here.
func Inert(name string) bool {
	name = canonicalName(name)
	return startOnly[name] || slices.ContainsFunc(inertParameters, func(p parameter) bool { return p.name == name })
}

// canonicalName is the name of a parameter that is called by it or by its alias.
func canonicalName(name string) string {
	if p := parameterNamed(name); p != nil {
		return p.name
	}
	return strings.ToLower(name)
}
