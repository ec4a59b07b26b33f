-- Gives back one hold; with the last one the lock is free and a waiter is told.
-- KEYS: the lock, its channel, the latch of this request.
-- ARGV: the message, lease in ms of the holds that remain, owner, publish command, life of the latch in ms.
-- Reply: 1 free, 0 still held, nil not the owner's.
local lock, channel, latch = KEYS[1], KEYS[2], KEYS[3]
local message, lease, owner, publish, keep = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local before = answered(latch)
if before then
    return before
end
local holds = redis.call('hget', lock, owner)
if not holds then
    return nil
end
if tonumber(holds) > 1 then
    redis.call('hincrby', lock, owner, -1)
    redis.call('pexpire', lock, lease)
    return answer(latch, 0, keep)
end
redis.call('del', lock)
redis.call(publish, channel, message)
return answer(latch, 1, keep)
