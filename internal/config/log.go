package config

import "log/slog"

// logLevels maps loglevel to the levels of slog, which has no level for verbose.
var logLevels = map[string]slog.Level{
	"debug": slog.LevelDebug, "verbose": slog.LevelDebug, "notice": slog.LevelInfo, "warning": slog.LevelWarn,
	"nothing": slog.LevelError + 1,
}

// SetLogLevel makes Config set level whenever loglevel changes, and now. It is called before the server starts.
func (c *Config) SetLogLevel(level *slog.LevelVar) {
	c.logLevel = level
	c.applyLogLevel(c.Get("loglevel"))
}

func (c *Config) applyLogLevel(value string) {
	if c.logLevel != nil {
		c.logLevel.Set(logLevels[value])
	}
}
