package command

var zsetCommands = []Command{}
