package config

import "log/slog"

// logLevels are slog's for those of Redis.
var logLevels = map[string]slog.Level{
	"debug": slog.LevelDebug, "verbose": slog.LevelDebug, "notice": slog.LevelInfo, "warning": slog.LevelWarn,
}

// SetLogLevel lets level follow loglevel from now on. It is called before the server starts.
func (c *Config) SetLogLevel(level *slog.LevelVar) {
	c.logLevel = level
	c.applyLogLevel(c.Get("loglevel"))
}

func (c *Config) applyLogLevel(value string) {
	if c.logLevel != nil {
		c.logLevel.Set(logLevels[value])
	}
}
