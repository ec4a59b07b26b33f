package config

import "maps"

// Saved is the values of all parameters at one moment. It is immutable.
type Saved struct{ values map[string]string }

// Save returns the values of now.
func (c *Config) Save() Saved {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Saved{maps.Clone(c.values)}
}

// RestoreAll sets the parameters that CONFIG SET may change to saved values, which may be those of another server: what
// belongs to this one, such as its port, stays. As after Set, the caller applies what the server keeps elsewhere.
func (c *Config) RestoreAll(saved Saved) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.params.rows {
		p := &c.params.rows[i]
		value, ok := saved.values[p.name]
		if !ok {
			value = p.value
		}
		if p.mutable == settable && value != c.valueLocked(p) {
			c.storeLocked(p, value)
		}
	}
}
