package command

import "errors"

// What CONFIG SET says of a value.
var (
	errConfigWords            = errors.New("wrong number of arguments")
	errConfigInteger          = errors.New("argument couldn't be parsed into an integer")
	errConfigMemory           = errors.New("argument must be a memory value")
	errConfigPercent          = errors.New("argument must be a memory or percent value")
	errConfigPercentRange     = errors.New("percentage argument must be less or equal to 100")
	errConfigPercentiles      = errors.New("Invalid latency-tracking-info-percentiles parameters")
	errConfigPercentilesRange = errors.New("latency-tracking-info-percentiles " +
		"parameters should sit between [0.0,100.0]")
	errConfigOOMScores = errors.New("Invalid oom-score-adj-values, elements must be between -2000 and 2000.")
	errConfigDefrag    = errors.New("Active defragmentation cannot be enabled: it requires a Redis server " +
		"compiled with a modified Jemalloc like the one shipped by default with the Redis source distribution")
	errConfigTLS       = errors.New("Unable to update TLS configuration. Check server logs.")
	errConfigHostname  = errors.New("Hostnames may only contain alphanumeric characters, hyphens or dots")
	errConfigShutdown  = errors.New("shutdown options SAVE and NOSAVE can't be used simultaneously")
	errConfigTitle     = errors.New("template format is invalid or contains unknown variables")
	errConfigYesNo     = errors.New("argument must be 'yes' or 'no'")
	errConfigEvents    = errors.New("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.")
	errConfigImmutable = errors.New("can't set immutable config")
	errConfigProtected = errors.New("can't set protected config")
	errConfigDuplicate = errors.New("duplicate parameter")
	errConfigOctal     = errors.New("argument couldn't be parsed as an octal number")
	errConfigMaster    = errors.New("Invalid master port")
	errConfigSave      = errors.New("Invalid save parameters")
)

// Why a parameter of what minilockd does not have keeps its value: CONFIG SET says so where Redis would take another,
// and so does a server that is to start with one.
var (
	errConfigPort         = errors.New("Unable to listen on this port. Check server logs.") // Redis' words
	errConfigPlace        = errors.New("minilockd listens where it did when it started")
	errConfigEvictClients = errors.New("minilockd does not close clients because of the memory that they take")
	errConfigAppendOnly   = errors.New("minilockd keeps no files: there is no append only file")
	errConfigNoTLS        = errors.New("minilockd does not speak TLS")
	errConfigCluster      = errors.New("minilockd has no cluster mode")
	errConfigReplica      = errors.New("minilockd can't be a replica")
	errConfigACLFile      = errors.New("minilockd reads no ACL file")
	errConfigDaemonize    = errors.New("minilockd stays in the foreground: it does not go to the background by itself")
)
