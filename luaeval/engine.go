package luaeval

import (
	"crypto/sha1"
	"encoding/hex"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/luaeval/luafront"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// chunkName makes error positions read "user_script:1:".
const chunkName = "@user_script"

// Engine is the scripts of one server. It is safe for concurrent use.
// No script runs under mu: a call finds its script, which keeps it alive, and runs it in a state of the pool.
type Engine struct {
	server  *emulate.Server
	log     *slog.Logger
	limits  limits
	states  sync.Pool // of *state
	running running
	guard   guard
	// The settings of cjson and the random numbers continue from script to script, as in the one Lua state of Redis.
	json    *lualib.JSONSettings
	libJSON *lualib.JSONSettings // of functions
	random  *lualib.Random       // behind math.random

	Functions *Functions

	mu         lockrank.RWMutex[lockrank.Scripts] // guards scripts
	scripts    map[string]*Script
	evaluated  evaluated
	compiled   compiledSet
	generation atomic.Uint64 // incremented when scripts are deleted: see Recent
}

// Script is a script that EVAL or SCRIPT LOAD has loaded. It stays valid when it is deleted: a call that has found it
// still runs it.
type Script struct {
	SHA string // SHA1 of the source as it was sent, shebang line included: 40 lower-case hex digits

	shebang   string // the first line, if it has flags; source is the rest
	evaluated bool   // it may be evicted; Engine.mu guards it
	lastUse   use

	settings
	compiled
}

// Source returns the source as it was sent.
func (s *Script) Source() string { return s.shebang + s.source }

// New returns an engine without scripts, for scripts of the emulated server; redis.log goes to log.
func New(server *emulate.Server, log *slog.Logger) *Engine {
	e := &Engine{server: server, log: log, json: lualib.NewJSONSettings(), libJSON: lualib.NewJSONSettings(),
		random: lualib.NewRandom(), scripts: make(map[string]*Script)}
	e.SetLimits(Limits{})
	e.states.New = func() any { return newState(e) }
	e.Functions = newFunctions(e)
	return e
}

// Verify checks, once in a process, that the version of gopher-lua is the one that luafront patches.
var Verify = sync.OnceValue(luafront.Verify)

// SHALength is the length of the SHA1 of a script in hexadecimal.
const SHALength = 2 * sha1.Size

// SHA1 returns the digest of a source in lower-case hexadecimal, by which EVALSHA calls it.
func SHA1(source []byte) string {
	sum := sha1.Sum(source)
	return hex.EncodeToString(sum[:])
}

// Load compiles a script, unless it is known, and keeps it. The error is that of Redis for a source with an invalid
// shebang line, or one that does not compile. The lock is not held while compiling: of two calls with the same source
// both may compile it, and both return the script that was kept first.
func (e *Engine) Load(source []byte) (*Script, error) {
	s, err := e.load(source, false)
	if err == nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.keepLocked(s)
	}
	return s, err
}

// load is Load for SCRIPT LOAD or, with evaluates, for EVAL.
func (e *Engine) load(source []byte, evaluates bool) (*Script, error) {
	sha := SHA1(source)
	if s := e.Get([]byte(sha)); s != nil {
		return s, nil
	}
	flags, body, err := e.scriptHeader(string(source))
	if err != nil {
		return nil, err
	}
	s := &Script{SHA: sha, shebang: string(source[:len(source)-len(body)]), settings: settings{flags: flags},
		compiled: compiled{source: body}}
	if _, err := e.compiled.compile(&s.compiled); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if other := e.scripts[sha]; other != nil {
		return other, nil
	}
	e.scripts[sha] = s
	if evaluates {
		e.addEvaluatedLocked(s)
	}
	return s, nil
}

// Get returns the script of that digest, in any letter case, or nil. It allocates nothing.
func (e *Engine) Get(sha []byte) *Script {
	var folded [SHALength]byte
	if len(sha) != len(folded) {
		return nil
	}
	for i, c := range sha {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		folded[i] = c
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.scripts[string(folded[:])]
}

// Forget deletes a script, unless another one has taken its digest since: Flush may have come first.
func (e *Engine) Forget(s *Script) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.scripts[s.SHA] == s {
		e.deleteLocked(s)
	}
}

// Flush deletes all scripts and resets their settings of cjson, as SCRIPT FLUSH does; running scripts continue. Those
// of functions stay, as in Redis, where functions have a Lua state of their own.
func (e *Engine) Flush() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.scripts)
	e.evaluated.scripts = nil
	e.compiled.clear()
	e.json.Reset()
	e.generation.Add(1)
}

// Len returns the number of scripts.
func (e *Engine) Len() int {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return len(e.scripts)
}

// SourceBytes returns the total length of the scripts in bytes, without their shebang lines.
func (e *Engine) SourceBytes() (bytes int64) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	for _, s := range e.scripts {
		bytes += int64(len(s.source))
	}
	return bytes
}
