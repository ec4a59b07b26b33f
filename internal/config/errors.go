package config

import "errors"

// The reasons in the error of CONFIG SET, most of them word for word as in Redis.
var (
	errWords            = errors.New("wrong number of arguments")
	errInteger          = errors.New("argument couldn't be parsed into an integer")
	errMemory           = errors.New("argument must be a memory value")
	errPercent          = errors.New("argument must be a memory or percent value")
	errPercentRange     = errors.New("percentage argument must be less or equal to 100")
	errPercentiles      = errors.New("Invalid latency-tracking-info-percentiles parameters")
	errPercentilesRange = errors.New("latency-tracking-info-percentiles " +
		"parameters should sit between [0.0,100.0]")
	errOOMScores = errors.New("Invalid oom-score-adj-values, elements must be between -2000 and 2000.")
	errDefrag    = errors.New("Active defragmentation cannot be enabled: it requires a Redis server " +
		"compiled with a modified Jemalloc like the one shipped by default with the Redis source distribution")
	errDefragValkey = errors.New("Active defragmentation cannot be enabled: it requires a server " +
		"compiled with a modified Jemalloc like the one shipped by default with the source distribution")
	errHostname  = errors.New("Hostnames may only contain alphanumeric characters, hyphens or dots")
	errShutdown  = errors.New("shutdown options SAVE and NOSAVE can't be used simultaneously")
	errTitle     = errors.New("template format is invalid or contains unknown variables")
	errNodeName  = errors.New("Announced human node name contained invalid character")
	errIPv4      = errors.New("Invalid IPv4 address")
	errIPv6      = errors.New("Invalid IPv6 address")
	errAnnounced = errors.New("cluster-announce-ip contains invalid character")
	errLocale    = errors.New("Invalid locale name")
	errRDMA      = errors.New("No RDMA building support.")
	errYesNo     = errors.New("argument must be 'yes' or 'no'")
	errEvents    = errors.New("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.")
	errImmutable = errors.New("can't set immutable config")
	errProtected = errors.New("can't set protected config")
	errDuplicate = errors.New("duplicate parameter")
	errOctal     = errors.New("argument couldn't be parsed as an octal number")
	errMaster    = errors.New("Invalid master port")
	errSave      = errors.New("Invalid save parameters")
)

// Why a parameter is pinned: CONFIG SET gives this reason where Redis would set the value, and so does a server that
// is started with it.
var (
	ErrPort         = errors.New("Unable to listen on this port. Check server logs.") // Redis' words
	ErrPlace        = errors.New("minilockd listens where it did when it started")
	errEvictClients = errors.New("minilockd does not close clients because of the memory that they take")
	errAppendOnly   = errors.New("minilockd keeps no files: there is no append only file")
	errCluster      = errors.New("minilockd has no cluster mode")
	errACLFile      = errors.New("minilockd reads no ACL file")
	errDaemonize    = errors.New("minilockd stays in the foreground: it does not go to the background by itself")
)
