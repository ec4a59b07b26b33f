package sentinel

import (
	"errors"
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/glob"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
)

// parameters are those of SENTINEL CONFIG, by name.
type parameters map[string]string

// parameterNames are in the order of SENTINEL CONFIG GET.
var parameterNames = []string{"resolve-hostnames", "announce-hostnames", "announce-ip", "announce-port",
	"sentinel-user", "sentinel-pass"}

func defaultParameters() parameters {
	return parameters{"resolve-hostnames": "no", "announce-hostnames": "no", "announce-port": "0"}
}

var errConfig = errors.New("ERR Only SENTINEL CONFIG GET <option> / SET <option> <value> are supported.")

// config implements SENTINEL CONFIG.
func config(c *command.Call) resp.Value {
	n, unlock := locked(c)
	defer unlock()
	switch {
	case c.Is(2, "get") && c.Len() == 4:
		var found []any
		for _, name := range parameterNames {
			if glob.Match(strings.ToLower(string(c.Arg(3))), name) {
				found = append(found, name, n.params[name])
			}
		}
		return command.Fields(found...)
	case c.Is(2, "set") && c.Len() == 5:
		return c.OKOr(n.configure(string(c.Arg(3)), string(c.Arg(4))))
	}
	return c.Fail(errConfig)
}

func (n *Node) configure(given, value string) error {
	name := strings.ToLower(given)
	valid := true
	switch name {
	case "resolve-hostnames", "announce-hostnames":
		value = strings.ToLower(value)
		valid = value == "yes" || value == "no"
	case "announce-port":
		port, err := strconv.Atoi(value)
		valid = err == nil && port >= 0 && port <= 65535
	case "announce-ip", "sentinel-user", "sentinel-pass":
	default:
		return words.Errorf("ERR Invalid argument '%s' to SENTINEL CONFIG SET", []byte(given))
	}
	if !valid {
		return words.Errorf("ERR Invalid value '%s' to SENTINEL CONFIG SET '%s'", []byte(value), []byte(given))
	}
	n.params[name] = value
	n.group.changed()
	return nil
}

// times are those of SENTINEL DEBUG, in milliseconds.
type times [len(timeNames)]int64

var timeNames = [...]string{"info-period", "ping-period", "ask-period", "publish-period", "default-down-after",
	"default-failover-timeout", "tilt-trigger", "tilt-period", "slave-reconf-timeout", "min-link-reconnect-period",
	"election-timeout", "script-max-runtime", "script-retry-delay"}

var defaultTimes = times{10000, 1000, 1000, 2000, 30000, 180000, 2000, 30000, 10000, 15000, 10000, 60000, 30000}

func (t *times) get(name string) int64 {
	for i := range timeNames {
		if timeNames[i] == name {
			return t[i]
		}
	}
	return 0
}

// debug implements SENTINEL DEBUG. Of these times publish-period and the defaults have an effect.
func debug(c *command.Call) resp.Value {
	n, unlock := locked(c)
	defer unlock()
	if c.Len() == 2 {
		var all []any
		for i, name := range timeNames {
			all = append(all, strings.ToUpper(name), strconv.FormatInt(n.times[i], 10))
		}
		return command.Fields(all...)
	}
	for i := 2; i < c.Len(); i += 2 {
		at := -1
		for j, name := range timeNames {
			if c.Is(i, name) {
				at = j
			}
		}
		if at < 0 || i+1 == c.Len() {
			return c.Fail(words.Errorf("ERR Unknown option or number of arguments for SENTINEL DEBUG '%s'", c.Arg(i)))
		}
		value, err := c.Int(i + 1)
		if err != nil || value <= 0 {
			return c.Fail(words.Errorf("ERR Invalid argument '%s' for SENTINEL DEBUG '%s'", c.Arg(i+1), c.Arg(i)))
		}
		n.times[at] = value
	}
	return resp.OK
}

var errScripts = errors.New("ERR Reconfiguration of scripts path is denied for security reasons. " +
	"Check the deny-scripts-reconfig configuration directive in your Sentinel configuration")

// set implements SENTINEL SET. Options before a wrong one stay set.
func set(c *command.Call) resp.Value {
	return onMaster(c, func(n *Node, m *master) resp.Value {
		for i := 3; i < c.Len(); {
			used, shown, err := m.set(c, i)
			if err != nil {
				return c.Fail(err)
			}
			n.publish("+set", m.describe()+" "+string(c.Arg(i))+" "+shown)
			i += 1 + used
		}
		n.group.changed()
		return resp.OK
	})
}

// set applies the option at argument i. It returns how many values it has, and how the event shows them.
func (m *master) set(c *command.Call, i int) (used int, shown string, err error) {
	name := strings.ToLower(string(c.Arg(i)))
	left := c.Len() - 1 - i
	unknown := words.Errorf("ERR Unknown option or number of arguments for SENTINEL SET '%s'", c.Arg(i))
	if left == 0 {
		return 0, "", unknown
	}
	value := string(c.Arg(i + 1))
	if number := m.number(name); number != nil {
		n, err := c.Int(i + 1)
		if err != nil || n < 0 || n == 0 && name != "master-reboot-down-after-period" {
			return 0, "", words.Errorf("ERR Invalid argument '%s' for SENTINEL SET '%s'", c.Arg(i+1), c.Arg(i))
		}
		*number = n
		return 1, value, nil
	}
	switch name {
	case "notification-script", "client-reconfig-script":
		return 0, "", errScripts
	case "auth-pass":
		m.authPass = value
		return 1, "******", nil
	case "auth-user":
		m.authUser = value
		return 1, value, nil
	case "rename-command":
		if left < 2 {
			return 0, "", unknown
		}
		if m.renamed == nil {
			m.renamed = make(map[string]string)
		}
		m.renamed[strings.ToLower(value)] = string(c.Arg(i + 2))
		return 2, value + " " + string(c.Arg(i+2)), nil
	}
	return 0, "", unknown
}

// number returns the parameter of a master that is a number; nil for others.
func (m *master) number(name string) *int64 {
	switch name {
	case "quorum":
		return &m.quorum
	case "down-after-milliseconds":
		return &m.downAfter
	case "failover-timeout":
		return &m.failoverTimeout
	case "parallel-syncs":
		return &m.parallelSyncs
	case "master-reboot-down-after-period":
		return &m.rebootDownAfter
	}
	return nil
}
