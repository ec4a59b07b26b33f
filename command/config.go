package command

import "sync/atomic"

// Config holds the settings that CONFIG GET shows. It is safe for concurrent use.
type Config struct {
	password atomic.Pointer[string]
}

// NewConfig returns the default settings.
func NewConfig() *Config { return new(Config) }

// Password is what AUTH must give; empty means that none is asked for.
func (c *Config) Password() string {
	if p := c.password.Load(); p != nil {
		return *p
	}
	return ""
}

// SetPassword sets what AUTH must give (requirepass).
func (c *Config) SetPassword(p string) { c.password.Store(&p) }
