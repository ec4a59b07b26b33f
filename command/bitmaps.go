package command

var bitmapCommands = []Command{}
