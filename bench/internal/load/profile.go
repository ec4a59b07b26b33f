package load

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"runtime/pprof"
)

// profiled runs f and writes the profiles of this process during it to files whose names begin with prefix: cpu,
// allocs, mutex and block. All but the first also include what was before. An empty prefix writes none.
func profiled(prefix string, f func() (Result, error)) (Result, error) {
	if prefix == "" {
		return f()
	}
	runtime.SetMutexProfileFraction(1) // every event: runs are short
	runtime.SetBlockProfileRate(1)
	var cpu bytes.Buffer
	if err := pprof.StartCPUProfile(&cpu); err != nil {
		return Result{}, err
	}
	result, err := f()
	pprof.StopCPUProfile()
	err = errors.Join(err, os.WriteFile(prefix+".cpu.pprof", cpu.Bytes(), 0o644))
	for _, kind := range []string{"allocs", "mutex", "block"} {
		var data bytes.Buffer
		err = errors.Join(err, pprof.Lookup(kind).WriteTo(&data, 0),
			os.WriteFile(prefix+"."+kind+".pprof", data.Bytes(), 0o644))
	}
	return result, err
}
