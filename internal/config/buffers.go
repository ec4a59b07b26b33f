package config

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/num"
)

// OutputLimit is how much a client of some class may leave unread (client-output-buffer-limit in redis.conf). A client
// that reaches Hard bytes is closed at once, one that stays at Soft bytes or above for longer than Patience then. 0
// bytes are no limit.
type OutputLimit struct {
	Hard, Soft uint64
	Patience   time.Duration // whole seconds
}

// outputLimits are those of each class in the order of outputClasses.
type outputLimits [len(outputClasses)]OutputLimit

// outputClasses are the classes of clients. There are no replicas here; what is said of them is kept.
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

// OutputLimit is that of a class of clients at present.
func (c *Config) OutputLimit(class ClientClass) OutputLimit { return c.outputs.Load()[class] }

// outputLimitsValue checks the classes that CONFIG SET names, each with its limits.
func outputLimitsValue(value string) (string, error) {
	_, err := parseOutputLimits(outputLimits{}, value)
	return value, err
}

// mergeOutputLimits is what holds after value, which names some classes, is set where old held.
func mergeOutputLimits(old, value string) string {
	limits, _ := parseOutputLimits(outputLimits{}, old)
	limits, _ = parseOutputLimits(limits, value)
	return limits.String()
}

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

// outputClass finds a class by its name in any letter case, -1 if there is none.
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

func parseOutputLimit(hard, soft, seconds string) (limit OutputLimit, ok bool) {
	hardBytes, hardOK := ParseMemory(hard)
	softBytes, softOK := ParseMemory(soft)
	n, ok := num.ParseInt([]byte(seconds))
	n = int64(int32(n)) // cut to 32 bits, as in Redis
	return OutputLimit{hardBytes, softBytes, time.Duration(n) * time.Second}, hardOK && softOK && ok && n >= 0
}

// String is the form that CONFIG GET shows.
func (l *outputLimits) String() string {
	words := make([]string, 0, len(l))
	for class, limit := range l {
		seconds := limit.Patience / time.Second
		words = append(words, fmt.Sprintf("%s %d %d %d", outputClasses[class], limit.Hard, limit.Soft, seconds))
	}
	return strings.Join(words, " ")
}

func (c *Config) applyOutputLimits(value string) {
	limits, _ := parseOutputLimits(outputLimits{}, value)
	c.outputs.Store(&limits)
}
