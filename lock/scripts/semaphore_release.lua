-- Gives permits back and tells how many are free.
-- KEYS: the semaphore, its channel. ARGV: how many, publish command.
local free = redis.call('incrby', KEYS[1], ARGV[1])
redis.call(ARGV[2], KEYS[2], free)
return nil
