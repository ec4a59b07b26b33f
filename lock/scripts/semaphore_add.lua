-- Changes the number of permits, and tells how many are free.
-- KEYS: the semaphore, its channel. ARGV: by how many, publish command.
local free = (redis.call('get', KEYS[1]) or 0) + ARGV[1]
redis.call('set', KEYS[1], free)
redis.call(ARGV[2], KEYS[2], free)
return nil
