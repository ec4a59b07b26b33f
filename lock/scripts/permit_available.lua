-- Counts the free permits. KEYS: the semaphore, the permits that are out, the channel. ARGV: now in ms, publish command.
-- Reply: the number.
return lapse(KEYS[1], KEYS[2], KEYS[3], ARGV[1], -1, ARGV[2]) or redis.call('get', KEYS[1]) or 0
