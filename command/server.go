package command

var serverCommands = []Command{}
