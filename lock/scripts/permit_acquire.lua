-- Takes permits if there are enough.
-- KEYS: the semaphore, the permits that are out, the channel.
-- ARGV: how many, when they lapse and now (ms since the epoch), the moment that stands for never, publish command, an id of
-- 16 bytes for each. Reply: OK; or a colon and the moment at which the next permit lapses; or nil if none does.
local semaphore, out, channel = KEYS[1], KEYS[2], KEYS[3]
local n, lapses, now, never, publish = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5]

lapse(semaphore, out, channel, now, n, publish)
local free = redis.call('get', semaphore)
if free and tonumber(free) >= n then
    redis.call('decrby', semaphore, n)
    for i = 6, #ARGV do
        redis.call('zadd', out, lapses, ARGV[i])
    end
    local rest = redis.call('pttl', semaphore)
    if rest > 0 then
        redis.call('pexpire', out, rest)
    end
    return 'OK'
end
local soonest = redis.call('zrange', out, 0, 0, 'withscores')
if soonest[1] and soonest[2] ~= never then
    return ':' .. soonest[2]
end
return nil
