package config

// Timing says which calls are timed. Reading the clock twice takes longer than a GET, so all calls are timed only if a
// parameter needs that.
type Timing int32

// The modes.
const (
	TimeNothing Timing = iota
	TimeSlow           // calls that can be slow, by one reading at their end
	TimeAll
)

// slowEnough is the value of slowlog-log-slower-than, in µs, from which on only calls that can be slow are timed: it
// is the default, and no call of constant time comes near it.
const slowEnough = 10000

// Timing returns the mode that the parameters need. It costs one load.
func (c *Config) Timing() Timing { return Timing(c.timing.Load()) }

// chooseTiming sets the mode after a change of latency-tracking, latency-monitor-threshold or slowlog-log-slower-than.
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
