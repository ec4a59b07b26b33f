package luaeval

import "slices"

// Saved is the scripts and function libraries of an engine at one moment. It is immutable.
type Saved struct {
	scripts   map[string]savedScript // by SHA1
	libraries *librarySet
}

// savedScript is what makes a Script.
type savedScript struct {
	shebang        string // line
	source         string // without it
	flags          Flags
	needsAllShards bool
	evaluated      bool
	lastUse        uint64
}

// Save returns the scripts and libraries of now.
func (e *Engine) Save() Saved {
	e.mu.RLock()
	defer e.mu.RUnlock()
	saved := Saved{scripts: make(map[string]savedScript, len(e.scripts)), libraries: e.Functions.current.Load()}
	for sha, s := range e.scripts {
		saved.scripts[sha] = savedScript{s.shebang, s.source, s.flags, s.NeedsAllShards(), s.evaluated,
			s.lastUse.at.Load()}
	}
	return saved
}

// RestoreAll replaces all scripts and libraries by saved ones, which may be those of another engine; the zero Saved has
// none. Scripts that are there stay; others are compiled when they are called. Running scripts continue. For the error
// see RestoreLibraries.
func (e *Engine) RestoreAll(saved Saved) error {
	e.restoreScripts(saved.scripts)
	return e.RestoreLibraries(saved)
}

// RestoreLibraries replaces all libraries by saved ones. Unless they are the same as now, they are loaded again, which
// runs their source. Then, and if that fails, for which the error is that of FUNCTION RESTORE, what they kept in
// variables is lost.
func (e *Engine) RestoreLibraries(saved Saved) error {
	var sources []string
	if saved.libraries != nil {
		if slices.Equal(saved.libraries.libraries, e.Functions.Libraries()) {
			return nil
		}
		for _, lib := range saved.libraries.libraries {
			sources = append(sources, lib.Source)
		}
	}
	return e.Functions.Restore(sources, RestoreFlush)
}

func (e *Engine) restoreScripts(saved map[string]savedScript) {
	if len(saved) == 0 {
		e.Flush()
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	scripts := make(map[string]*Script, len(saved))
	e.evaluated.scripts = nil
	for sha, s := range saved {
		script := e.scripts[sha]
		if script == nil {
			script = &Script{SHA: sha, shebang: s.shebang, settings: settings{flags: s.flags},
				compiled: compiled{source: s.source}}
			script.needsAllShards.Store(s.needsAllShards)
			script.lastUse.note(s.lastUse)
		}
		scripts[sha] = script
		if script.evaluated = s.evaluated; s.evaluated {
			e.evaluated.scripts = append(e.evaluated.scripts, script)
		}
	}
	e.scripts = scripts
	e.generation.Add(1)
}
