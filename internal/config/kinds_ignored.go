package config

import (
	"cmp"
	"errors"
	"math"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/internal/words"
)

// unsignedMemoryValue is memoryValue without an upper bound.
func unsignedMemoryValue(value string) (string, error) {
	n, ok := ParseMemory(value)
	if !ok {
		return "", errMemory
	}
	return strconv.FormatUint(n, 10), nil
}

// percentilesValue takes percentages separated by blanks, or nothing, for latency-tracking-info-percentiles.
func percentilesValue(value string) (string, error) {
	if value == "" {
		return "", nil
	}
	words := strings.Split(value, " ")
	for i, word := range words {
		percentile, ok := num.ParseFloat([]byte(word))
		switch {
		case !ok || math.IsNaN(percentile):
			return "", errPercentiles
		case percentile < 0 || percentile > 100:
			return "", errPercentilesRange
		}
		words[i] = strconv.FormatFloat(percentile, 'g', -1, 64)
	}
	return strings.Join(words, " "), nil
}

// decimalPercentilesValue is percentilesValue without hexadecimal numbers.
func decimalPercentilesValue(value string) (string, error) {
	if strings.ContainsAny(value, "xX") {
		return "", errPercentiles
	}
	return percentilesValue(value)
}

// oomScoresValue takes exactly three numbers, for oom-score-adj-values. As in save, an empty word is 0.
func oomScoresValue(value string) (string, error) {
	const count, limit = 3, 2000
	words := wordsOf(value)
	if len(words) != count {
		return "", errWords
	}
	for i, word := range words {
		words[i] = cmp.Or(word, "0")
		n, ok := num.ParseInt([]byte(words[i]))
		if !ok || n < -limit || n > limit {
			return "", errOOMScores
		}
	}
	return strings.Join(words, " "), nil
}

// titleFields matches the fields that proc-title-template may have; those of the first group are empty while a title
// is checked.
var titleFields = regexp.MustCompile(`\{(?:(title|unixsocket|config-file)|listen-addr|server-mode|port|tls-port)\}`)

// titleValue takes a template that only has known fields and whose title is not empty.
func titleValue(value string) (string, error) {
	value = words.UntilNUL(value)
	filled := titleFields.ReplaceAllStringFunc(value, func(field string) string {
		if titleFields.FindStringSubmatch(field)[1] != "" {
			return ""
		}
		return "x"
	})
	if filled == "" || strings.ContainsAny(filled, "{}") {
		return "", errTitle
	}
	return value, nil
}

// shutdownWays are the words of shutdown-on-sigint and shutdown-on-sigterm, in the order of CONFIG GET.
var shutdownWays = []string{"save", "nosave", "now", "force"}

// shutdownValue returns the kind that takes "default" or some of the words that SHUTDOWN takes, in any order and letter
// case, and sorts them. save and nosave exclude each other.
func shutdownValue(known []string) kind {
	oneOf := oneOfValue(append([]string{"default"}, known...)...)
	return func(value string) (string, error) {
		given := wordsOf(strings.ToLower(value))
		for _, word := range given {
			if _, err := oneOf(word); err != nil {
				return "", err
			}
		}
		ways := slices.DeleteFunc(slices.Clone(known), func(way string) bool { return !slices.Contains(given, way) })
		switch {
		case len(ways) == 0:
			return "default", nil
		case slices.Contains(ways, "save") && slices.Contains(ways, "nosave"):
			return "", errShutdown
		}
		return strings.Join(ways, " "), nil
	}
}

// hostname matches the names that cluster-announce-hostname may have, the empty one included.
var hostname = regexp.MustCompile(`^[-.A-Za-z0-9]*$`)

// hostnameValue takes the name of a host, or nothing.
func hostnameValue(value string) (string, error) {
	if value = words.UntilNUL(value); !hostname.MatchString(value) {
		return "", errHostname
	}
	return value, nil
}

// nodeNameValue takes the name of a node for people, for cluster-announce-human-nodename. It has none of the characters
// in not, and no NUL.
func nodeNameValue(not string) kind {
	return func(value string) (string, error) {
		if strings.ContainsAny(value, not+"\x00") {
			return "", errNodeName
		}
		return value, nil
	}
}

// notInAddresses are the bytes that Valkey 9 allows neither in the address nor in the name of a node.
const notInAddresses = "\x00\x01\x02\x03\x04\x05\x06\a\b\t\n\v\f\r\x0e\x0f\x10\x11" +
	"\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f !\"#$%&'()*+,;<=>?@[\\]^{|}~\x7f"

// announcedValue takes an address of the node, for cluster-announce-ip.
func announcedValue(value string) (string, error) {
	if strings.ContainsAny(value, notInAddresses) {
		return "", errAnnounced
	}
	return value, nil
}

// ipValue takes an address of IPv4 or IPv6, whichever is4 says, or nothing; otherwise is the error.
func ipValue(is4 bool, otherwise error) kind {
	return func(value string) (string, error) {
		if value == "" {
			return "", nil
		}
		addr, err := netip.ParseAddr(value)
		if err != nil || addr.Zone() != "" || addr.Is4() != is4 {
			return "", otherwise
		}
		return value, nil
	}
}

// localeValue takes the names of the locale that every system has; "" is that of the environment.
func localeValue(value string) (string, error) {
	if value != "" && value != "C" && value != "POSIX" {
		return "", errLocale
	}
	return value, nil
}

// signedMemoryValue is memoryValue, and -1, which is also the largest number without a sign.
func signedMemoryValue(value string) (string, error) {
	if n, ok := num.ParseInt([]byte(value)); ok && n < 0 {
		return valueInRange(n, -1, math.MaxInt64)
	}
	digits := strings.TrimRight(strings.ToLower(value), "bgkm")
	n, ok := ParseMemory(value)
	if _, err := strconv.ParseUint(digits, 10, 64); !ok || errors.Is(err, strconv.ErrRange) {
		return "", errMemory
	}
	return valueInRange(int64(n), -1, math.MaxInt64)
}

// rdmaPortValue takes 0, which is no port.
func rdmaPortValue(value string) (string, error) {
	port, err := integerValue(0, 65535)(value)
	if err == nil && port != "0" {
		err = errRDMA
	}
	return port, err
}

// noValue takes nothing, for parameters of what a server was built without.
func noValue(err error) kind {
	return func(string) (string, error) { return "", err }
}
