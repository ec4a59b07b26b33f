package config

// Timing is how much of the time that calls take is measured. Reading the clock twice takes longer than a GET, so not
// every call is measured unless a parameter asks for it.
type Timing int32

// The modes.
const (
	TimeNothing Timing = iota
	TimeSlow           // calls that can be slow, once: their transaction knows when it began
	TimeAll
)

// slowEnough is the value of slowlog-log-slower-than, in µs, from which on only calls that can be slow are measured.
const slowEnough = 10000

// Timing is what the parameters about time ask for. It costs one load.
func (c *Config) Timing() Timing { return Timing(c.timing.Load()) }

// chooseTiming follows the parameters about time.
func (c *Config) chooseTiming() {
	slower := c.slowerThan.Load()
	mode := TimeNothing
	switch {
	case c.histograms.Load() || c.latency.Load() > 0 || slower >= 0 && slower < slowEnough:
		mode = TimeAll
	case slower >= 0:
		mode = TimeSlow
	}
	c.timing.Store(int32(mode))
}
