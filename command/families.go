package command

// families lists every group of commands, by the names that COMMAND DOCS uses for groups.
func families() []family {
	return []family{
		{"cluster", clusterCommands},
		{"connection", connectionCommands},
		{"generic", keyCommands},
		{"generic", sortCommands},
		{"generic", migrateCommands},
		{"generic", waitCommands},
		{"geo", geoCommands},
		{"hash", hashCommands},
		{"hyperloglog", hyperloglogCommands},
		{"list", listCommands},
		{"pubsub", pubsubCommands},
		{"scripting", scriptingCommands},
		{"server", databaseCommands},
		{"server", serverCommands},
		{"set", setCommands},
		{"sorted-set", zsetCommands},
		{"stream", streamCommands},
		{"string", stringCommands},
		{"bitmap", bitmapCommands},
		{"transactions", transactionCommands},
	}
}
