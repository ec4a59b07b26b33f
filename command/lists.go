package command

var listCommands = []Command{}
