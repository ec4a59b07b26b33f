-- Gives back one hold; with the last one the lock is free and a waiter is told. A request that was carried out before is
-- answered from its latch and does nothing more.
-- KEYS: the lock, its channel, the latch of this request.
-- ARGV: the message, lease in ms of the holds that remain, owner, publish command, life of the latch in ms.
-- Reply: 1 free, 0 still held, nil not the owner's.
local lock, channel, latch = KEYS[1], KEYS[2], KEYS[3]
local message, lease, owner, publish, keep = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local before = redis.call('get', latch)
if before then
    return tonumber(before)
end
local holds = redis.call('hget', lock, owner)
if not holds then
    return nil
end
local free = 1
if tonumber(holds) > 1 then
    redis.call('hincrby', lock, owner, -1)
    redis.call('pexpire', lock, lease)
    free = 0
else
    redis.call('del', lock)
    redis.call(publish, channel, message)
end
redis.call('set', latch, free, 'px', keep)
return free
