package luaeval

import (
	"errors"
	"strings"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/words"
)

// Flags are the flags of a script or a function (Redis: Lua API reference, "Script flags").
type Flags uint8

// The flags, in the order of FUNCTION LIST. Since there are no replicas and no cluster, only NoWrites and AllowOOM have
// an effect.
const (
	NoWrites Flags = 1 << iota
	AllowOOM
	AllowStale
	NoCluster
	AllowCrossSlotKeys
	// Declared is set for functions, and for scripts that begin with a shebang line.
	Declared
)

// flagNames are the names of the flags, in the order of their bits.
var flagNames = [...]string{"no-writes", "allow-oom", "allow-stale", "no-cluster", "allow-cross-slot-keys"}

// Has reports whether the flag is set.
func (f Flags) Has(flag Flags) bool { return f&flag != 0 }

// Names lists the flags by name, as FUNCTION LIST does. Declared has none.
func (f Flags) Names() []string {
	var names []string
	for i, name := range flagNames {
		if f.Has(1 << i) {
			names = append(names, name)
		}
	}
	return names
}

// flagNamed returns the flag whose name is equal to the given one, 0 if there is none. Whether letter case counts is
// for the caller to say: it does in a shebang line, but not in redis.register_function.
func flagNamed(name string, equal func(a, b string) bool) Flags {
	for i, known := range flagNames {
		if equal(known, name) {
			return 1 << i
		}
	}
	return 0
}

// shebang begins the first line of a source with flags.
const shebang = "#!"

var (
	errNoShebangEnd  = errors.New("ERR Invalid script shebang")
	errNoShebangWord = errors.New("ERR Invalid engine in script shebang")
)

// FlagsOf returns the flags in the source of a script; none if its first line is invalid.
func (e *Engine) FlagsOf(source []byte) Flags {
	flags, _, err := e.scriptHeader(string(source))
	if err != nil {
		return 0
	}
	return flags
}

// scriptHeader reads the shebang line of a script, if there is one: "#!lua flags=no-writes,allow-oom". flags= may be
// given several times. Valkey looks for the engine after the options, in any letter case. The body keeps the end of
// that line, so that its lines have their numbers.
func (e *Engine) scriptHeader(source string) (flags Flags, body string, err error) {
	if !strings.HasPrefix(source, shebang) {
		return 0, source, nil
	}
	line, body, ok := cutLine(source)
	if !ok {
		return 0, "", errNoShebangEnd
	}
	parts, ok := words.SplitString(line)
	if !ok {
		return 0, "", errNoShebangWord
	}
	engine, byName := strings.TrimPrefix(parts[0], shebang), e.server.Does(emulate.EnginesByName)
	if engine != "lua" && !byName {
		return 0, "", errors.New("ERR Unexpected engine in script shebang: " + parts[0])
	}
	if flags, err = parseOptions(parts[1:]); err != nil {
		return 0, "", err
	}
	if byName && !strings.EqualFold(engine, "lua") {
		return 0, "", errors.New("ERR Could not find scripting engine '" + engine + "'")
	}
	return flags, body, nil
}

// parseOptions reads the words after the engine.
func parseOptions(words []string) (flags Flags, err error) {
	flags = Declared
	for _, word := range words {
		list, ok := strings.CutPrefix(word, "flags=")
		if !ok {
			return 0, errors.New("ERR Unknown lua shebang option: " + word)
		}
		more, err := parseFlags(list)
		if err != nil {
			return 0, err
		}
		flags |= more
	}
	return flags, nil
}

// parseFlags reads the flags after flags=, separated by commas. None at all is valid, an empty name is not.
func parseFlags(list string) (flags Flags, err error) {
	if list == "" {
		return 0, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		flag := flagNamed(name, func(a, b string) bool { return a == b })
		if flag == 0 {
			return 0, errors.New("ERR Unexpected flag in script shebang: " + name)
		}
		flags |= flag
	}
	return flags, nil
}

// cutLine splits a source before the end of its first line; a NUL ends the search, as it ends a C string.
func cutLine(source string) (line, rest string, ok bool) {
	end := strings.IndexAny(source, "\n\x00")
	if end < 0 || source[end] == 0 {
		return "", "", false
	}
	return source[:end], source[end:], true
}
