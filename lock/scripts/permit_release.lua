-- Gives one permit back and tells how many are free.
-- KEYS: the semaphore, its channel, the permits that are out. ARGV: the id, how many (1), now in ms, publish command.
-- Reply: 1 given back, 0 it had lapsed.
local semaphore, channel, out = KEYS[1], KEYS[2], KEYS[3]
local id, n, now, publish = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]

local lapses = redis.call('zscore', out, id)
if not lapses then
    return 0
end
redis.call('zrem', out, id)
local free = redis.call('incrby', semaphore, n)
redis.call(publish, channel, free)
return tonumber(lapses) <= now and 0 or 1
