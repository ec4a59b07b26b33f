package compat

// Why a command that Redisson's scripts name may be missing here.
const (
	fromModule = "belongs to a module, not to Redis"
	afterRedis = "is newer than Redis 8.0"
)

// commandExceptions are the commands that scripts in the jars name and that the census
// excuses. The census fails for a row that no longer earns its place.
var commandExceptions = map[string]string{
	"JSON.GET": fromModule, "JSON.SET": fromModule, "JSON.DEL": fromModule, "FT.INFO": fromModule,
	"ARGET": afterRedis, "ARLEN": afterRedis, "ARNEXT": afterRedis, "AROP": afterRedis, "ARRING": afterRedis,
	"GCRA": afterRedis,
}
