package command

var stringCommands = []Command{}
