package luaeval

import (
	"crypto/sha1"
	"encoding/hex"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/luaeval/luafront"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// chunkName makes error positions read "user_script:1:".
const chunkName = "@user_script"

// Engine is the scripts of one server. It is safe for concurrent use.
type Engine struct {
	log     *slog.Logger
	limits  limits
	states  sync.Pool // of *state
	running running
	guard   guard
	json    *lualib.JSONSettings
	libJSON *lualib.JSONSettings // of functions
	random  *lualib.Random

	Functions *Functions

	mu         lockrank.RWMutex[lockrank.Scripts] // guards scripts
	scripts    map[string]*Script
	compiled   compiledSet
	generation atomic.Uint64 // incremented when scripts are deleted
}

// Script is a script that EVAL or SCRIPT LOAD has loaded. It stays valid when it is deleted: a call that has found it
// still runs it.
type Script struct {
	SHA string // SHA1 of the source as it was sent, shebang line included: 40 lower-case hex digits

	settings
	compiled
}

// New returns an engine without scripts; redis.log goes to log.
func New(log *slog.Logger) *Engine {
	e := &Engine{log: log, json: lualib.NewJSONSettings(), libJSON: lualib.NewJSONSettings(), random: lualib.NewRandom(),
		scripts: make(map[string]*Script)}
	e.SetLimits(Limits{})
	e.states.New = func() any { return newState(e) }
	e.Functions = newFunctions(e)
	return e
}

// Verify checks, once in a process, that the version of gopher-lua is the one that luafront patches.
var Verify = sync.OnceValue(luafront.Verify)

// SHALength is the length of a script's SHA1 in hexadecimal.
const SHALength = 2 * sha1.Size

// SHA1 returns the digest of a script's source in lower-case hex, by which EVALSHA calls it.
func SHA1(source []byte) string {
	sum := sha1.Sum(source)
	return hex.EncodeToString(sum[:])
}

// Load compiles a script, unless it is known, and keeps it. The error is that of Redis for a source that does not
// compile.
func (e *Engine) Load(source []byte) (*Script, error) {
	sha := SHA1(source)
	if s := e.Get([]byte(sha)); s != nil {
		return s, nil
	}
	flags, body, err := scriptHeader(string(source))
	if err != nil {
		return nil, err
	}
	s := &Script{SHA: sha, settings: settings{flags: flags}, compiled: compiled{source: body}}
	if _, err := e.compiled.compile(&s.compiled); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if other := e.scripts[sha]; other != nil {
		return other, nil
	}
	e.scripts[sha] = s
	return s, nil
}

// Get returns the script of that digest, in any letter case, or nil.
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

// Forget deletes a script.
func (e *Engine) Forget(s *Script) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.scripts[s.SHA] == s {
		delete(e.scripts, s.SHA)
		e.generation.Add(1)
	}
}

// Flush deletes all scripts and resets their settings of cjson; running scripts continue.
func (e *Engine) Flush() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.scripts)
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

// SourceBytes returns the total length of the scripts.
func (e *Engine) SourceBytes() (bytes int64) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	for _, s := range e.scripts {
		bytes += int64(len(s.source))
	}
	return bytes
}
