package luaeval

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/emulate"
)

// maxEvaluated is the number of scripts that EVAL has loaded and that stay in the cache; it can't be configured in
// Redis either.
const maxEvaluated = 500

// evaluated is the scripts that EVAL, not SCRIPT LOAD, has loaded. Servers that behave as emulate.EvictsScripts keep
// the last ones that were used. Engine.mu guards it, except the counters.
type evaluated struct {
	scripts []*Script
	loads   atomic.Uint64 // scripts that EVAL has loaded; the clock of lastUse
	evicted atomic.Int64
}

// use is when a script was last used, in scripts that EVAL has loaded until then. A script that runs often writes it
// only when that number has changed, so that cores which run the same script share its cache line.
type use struct{ at atomic.Uint64 }

func (u *use) note(now uint64) {
	if u.at.Load() != now {
		u.at.Store(now)
	}
}

// Evaluate is Load for EVAL: some servers keep the script only while few others are used.
func (e *Engine) Evaluate(source []byte) (*Script, error) { return e.load(source, true) }

// Evicted returns the number of scripts that were evicted since ResetEvicted.
func (e *Engine) Evicted() int64 { return e.evaluated.evicted.Load() }

// ResetEvicted sets the number of evicted scripts to zero.
func (e *Engine) ResetEvicted() { e.evaluated.evicted.Store(0) }

// addEvaluatedLocked adds a script that EVAL has loaded, and evicts the one that was not used for longest if there are
// too many.
func (e *Engine) addEvaluatedLocked(s *Script) {
	if !e.server.Does(emulate.EvictsScripts) {
		return
	}
	set := &e.evaluated
	if len(set.scripts) >= maxEvaluated {
		e.deleteLocked(slices.MinFunc(set.scripts, func(a, b *Script) int {
			return cmp.Compare(a.lastUse.at.Load(), b.lastUse.at.Load())
		}))
		set.evicted.Add(1)
	}
	s.evaluated = true
	s.lastUse.note(set.loads.Add(1))
	set.scripts = append(set.scripts, s)
}

// keepLocked makes a script stay that SCRIPT LOAD has loaded after EVAL.
func (e *Engine) keepLocked(s *Script) {
	if s.evaluated && e.server.Does(emulate.KeepsLoadedScripts) {
		s.evaluated = false
		e.evaluated.remove(s)
	}
}

func (v *evaluated) remove(s *Script) {
	v.scripts = slices.DeleteFunc(v.scripts, func(o *Script) bool { return o == s })
}

// deleteLocked deletes a script. Clients that have it in their Recent find it no more.
func (e *Engine) deleteLocked(s *Script) {
	delete(e.scripts, s.SHA)
	e.evaluated.remove(s)
	e.generation.Add(1)
}
