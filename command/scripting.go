package command

// Scripts is the script engine of a server.
type Scripts struct{}

type scriptCaller struct{}

var scriptingCommands = []Command{}
