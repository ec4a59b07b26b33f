-- Gives back one reader's hold of the lock that read_acquire.lua takes. KEYS: as there, the channel of those who wait, and
-- what the names of all readers' holds begin with. ARGV: the reader.
-- 1 when the lock is free now, 0 when it is still held, nil when ARGV[1] didn't hold it.
local lock, holds, channel, prefix = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local reader = ARGV[1]

if redis.call('hexists', lock, reader) == 0 then
    return nil
end
local left = redis.call('hincrby', lock, reader, -1)
if left == 0 then
    redis.call('hdel', lock, reader)
end
redis.call('del', holds .. ':' .. (left + 1))

-- The lock lives as long as the longest hold that is left.
if redis.call('hlen', lock) > 1 then
    local longest = -3
    for _, field in ipairs(redis.call('hkeys', lock)) do
        local count = tonumber(redis.call('hget', lock, field))
        for i = count or 0, 1, -1 do
            longest = math.max(longest, redis.call('pttl', prefix .. ':' .. field .. ':hold:' .. i))
        end
    end
    if longest > 0 then
        redis.call('pexpire', lock, longest)
        return 0
    end
    if redis.call('hget', lock, 'mode') == 'write' then
        return 0
    end
end
redis.call('del', lock)
redis.call('publish', channel, 'free')
return 1
