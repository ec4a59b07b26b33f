-- What the scripts of the permit semaphore share: a string has the number of free permits; a sorted set has those that are
-- out, by the moment at which they come back by themselves, in ms since the epoch.

-- Takes back permits that have lapsed, at most so many (-1: all), and tells how many are free then. Returns that number, or
-- nil if none has lapsed.
local function lapse(semaphore, out, channel, now, most, publish)
    local lapsed = redis.call('zrangebyscore', out, 0, now, 'limit', 0, most)
    if #lapsed == 0 then
        return nil
    end
    redis.call('zrem', out, unpack(lapsed))
    local free = redis.call('incrby', semaphore, #lapsed)
    if free > 0 then
        redis.call(publish, channel, free)
    end
    return free
end
