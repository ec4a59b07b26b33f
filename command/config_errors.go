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
	errConfigPercentilesRange = errors.New("latency-tracking-info-percentiles parameters should sit between [0.0,100.0]")
	errConfigOOMScores        = errors.New("Invalid oom-score-adj-values, elements must be between -2000 and 2000.")
	errConfigDefrag           = errors.New("Active defragmentation cannot be enabled: it requires a Redis server compiled with a modified Jemalloc like the one shipped by default with the Redis source distribution")
	errConfigTLS              = errors.New("Unable to update TLS configuration. Check server logs.")
	errConfigHostname         = errors.New("Hostnames may only contain alphanumeric characters, hyphens or dots")
	errConfigShutdown         = errors.New("shutdown options SAVE and NOSAVE can't be used simultaneously")
	errConfigTitle            = errors.New("template format is invalid or contains unknown variables")
	errConfigYesNo            = errors.New("argument must be 'yes' or 'no'")
	errConfigEvents           = errors.New("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.")
	errConfigImmutable        = errors.New("can't set immutable config")
	errConfigProtected        = errors.New("can't set protected config")
	errConfigDuplicate        = errors.New("duplicate parameter")
	errConfigPort             = errors.New("Unable to listen on this port. Check server logs.")
	errConfigSave             = errors.New("Invalid save parameters")
)
