package command

var setCommands = []Command{}
