package config

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/num"
)

// OutputLimit is the limit for the pending output of a client of some class (client-output-buffer-limit in
// redis.conf). A client that reaches Hard bytes is closed at once, one that stays at Soft bytes or above for longer
// than Patience then. 0 bytes are no limit.
type OutputLimit struct {
	Hard, Soft uint64
	Patience   time.Duration // whole seconds
}

// outputLimits are the limits of all classes, in the order of outputClasses.
type outputLimits [len(outputClasses)]OutputLimit

// outputClasses are the classes of clients.
var outputClasses = [...]string{Normal: "normal", Replica: "slave", PubSub: "pubsub"}

// ClientClass is a class of clients that has limits of its own.
type ClientClass int

// The classes.
const (
	Normal ClientClass = iota
	Replica
	PubSub // clients with subscriptions
)

var (
	errBufferWords = errors.New("Wrong number of arguments in buffer limit configuration.")
	errBufferClass = errors.New("Invalid client class specified in buffer limit configuration.")
	errBufferLimit = errors.New("Error in hard, soft or soft_seconds setting in buffer limit configuration.")
)

// OutputLimit returns the limit for a class of clients. It costs one load.
func (c *Config) OutputLimit(class ClientClass) OutputLimit { return c.outputs.Load()[class] }

// outputLimitsValue checks the classes that CONFIG SET names, each with its limits. The value stays as it is:
// mergeOutputLimits makes the form of CONFIG GET.
func outputLimitsValue(value string) (string, error) {
	_, err := parseOutputLimits(outputLimits{}, value)
	return value, err
}

// mergeOutputLimits returns the new value of the parameter: the classes that value names replace those of old, the
// others keep their limits.
func mergeOutputLimits(old, value string) string {
	limits, _ := parseOutputLimits(outputLimits{}, old)
	limits, _ = parseOutputLimits(limits, value)
	return limits.String()
}

// parseOutputLimits parses "class hard soft seconds", any number of times, and puts the limits of each class into a
// copy of limits. The empty text names no class.
func parseOutputLimits(limits outputLimits, value string) (outputLimits, error) {
	var words []string
	if value != "" {
		words = wordsOf(value)
	}
	if len(words)%4 != 0 {
		return limits, errBufferWords
	}
	for ; len(words) > 0; words = words[4:] {
		class := outputClass(words[0])
		if class < 0 {
			return limits, errBufferClass
		}
		limit, ok := parseOutputLimit(words[1], words[2], words[3])
		if !ok {
			return limits, errBufferLimit
		}
		limits[class] = limit
	}
	return limits, nil
}

// outputClass finds a class by its name in any letter case, -1 if there is none. "replica" is another name of "slave".
func outputClass(name string) ClientClass {
	if strings.EqualFold(name, "replica") {
		return Replica
	}
	for class, known := range outputClasses {
		if strings.EqualFold(name, known) {
			return ClientClass(class)
		}
	}
	return -1
}

// parseOutputLimit parses the limits of one class: two sizes, which may have a unit, and a number of seconds.
func parseOutputLimit(hard, soft, seconds string) (limit OutputLimit, ok bool) {
	hardBytes, hardOK := ParseMemory(hard)
	softBytes, softOK := ParseMemory(soft)
	n, ok := num.ParseInt([]byte(seconds))
	n = int64(int32(n)) // cut to 32 bits, as in Redis
	return OutputLimit{hardBytes, softBytes, time.Duration(n) * time.Second}, hardOK && softOK && ok && n >= 0
}

// String returns the form of CONFIG GET: all classes, sizes in bytes.
func (l *outputLimits) String() string {
	words := make([]string, 0, len(l))
	for class, limit := range l {
		seconds := limit.Patience / time.Second
		words = append(words, fmt.Sprintf("%s %d %d %d", outputClasses[class], limit.Hard, limit.Soft, seconds))
	}
	return strings.Join(words, " ")
}

// applyOutputLimits stores the limits for OutputLimit. value has been checked.
func (c *Config) applyOutputLimits(value string) {
	limits, _ := parseOutputLimits(outputLimits{}, value)
	c.outputs.Store(&limits)
}
