package command

// RedisVersion is the version of Redis whose behaviour is emulated.
const RedisVersion = "7.0.15"
