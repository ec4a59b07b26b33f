package config

// persistenceParameters are those of the RDB file.
var persistenceParameters = []parameter{
	{name: "dbfilename", value: "dump.rdb", mutable: protected, kind: baseNameValue("dbfilename", "filename")},
	{name: "dir", mutable: protected, process: true, show: absolutePath},
	{name: "rdbchecksum", value: "yes", mutable: immutable, kind: yesNoValue},
	{name: "save", words: true, kind: saveValue},
}

// RDBChecksum reports whether RDB files get a checksum (rdbchecksum).
func (c *Config) RDBChecksum() bool { return c.is("rdbchecksum", "yes") }
