-- Gives back one read hold. The lock is kept for as long as the longest hold of another reader, or while a writer has it;
-- else it is free and a waiter is told.
-- KEYS: the lock, its channel, the start of the keys that keep the time of each hold of this owner, the start of all such
-- keys, the latch of this request. ARGV: the message, owner, publish command, life of the latch in ms.
-- Reply: 1 free, 0 still held by somebody, nil not the owner's.
local lock, channel, hold, prefix, latch = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local message, owner, publish, keep = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local before = answered(latch)
if before then
    return before
end
local mode = redis.call('hget', lock, 'mode')
if not mode then
    redis.call(publish, channel, message)
    answer(latch, 1, keep)
    return nil
end
if redis.call('hexists', lock, owner) == 0 then
    return nil
end
local holds = redis.call('hincrby', lock, owner, -1)
if holds == 0 then
    redis.call('hdel', lock, owner)
end
redis.call('del', hold .. ':' .. (holds + 1))

if redis.call('hlen', lock) > 1 then
    local longest = 0
    for _, other in ipairs(redis.call('hkeys', lock)) do
        for i = tonumber(redis.call('hget', lock, other)) or 0, 1, -1 do
            longest = math.max(longest, redis.call('pttl', prefix .. ':' .. other .. ':rwlock_timeout:' .. i))
        end
    end
    if longest > 0 then
        redis.call('pexpire', lock, longest)
        return answer(latch, 0, keep)
    end
    if mode == 'write' then
        return answer(latch, 0, keep)
    end
end
redis.call('del', lock)
redis.call(publish, channel, message)
return answer(latch, 1, keep)
