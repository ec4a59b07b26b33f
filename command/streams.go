package command

var streamCommands = []Command{}
