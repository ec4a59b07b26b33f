-- What the scripts of the rate limiter share: a hash with the rate; a string with the free permits; and a sorted set with a
-- record of those taken, 16 random bytes and their number, by the moment at which they were taken, in ms since the epoch.
local limiter = redis.call('hmget', KEYS[1], 'rate', 'interval', 'type', 'keepAliveTime')
local rate, interval = tonumber(limiter[1]), tonumber(limiter[2])
assert(limiter[1] and limiter[2] and limiter[3], 'RateLimiter is not initialized')
local value, taken = KEYS[2], KEYS[4]
if limiter[3] == '1' then
    value, taken = KEYS[3], KEYS[5]
end

-- The number of permits in some records.
local function sum(records)
    local n = 0
    for _, record in ipairs(records) do
        local _, permits = struct.unpack('Bc0I', record)
        n = n + permits
    end
    return n
end

-- Gives back what was taken an interval ago, and returns how many permits are free.
local function free(now)
    local left = redis.call('get', value)
    if not left then
        redis.call('set', value, rate)
        return limiter[1]
    end
    local back = sum(redis.call('zrangebyscore', taken, 0, now - interval))
    if back == 0 then
        return left
    end
    redis.call('zremrangebyscore', taken, 0, now - interval)
    if left + back > rate then
        left = rate - sum(redis.call('zrange', taken, 0, -1))
    else
        left = left + back
    end
    redis.call('set', value, left)
    return left
end
