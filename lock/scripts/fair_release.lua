-- Gives back one hold; with the last one the lock is free and the first in the queue is told.
-- KEYS: the lock, the queue, the places, the channel, the latch of this request.
-- ARGV: the message, lease in ms of the holds that remain, owner, now in ms, publish command, life of the latch in ms.
-- Reply: 1 free, 0 still held, nil not the owner's.
local lock, queue, places, channel, latch = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local message, lease, owner, now, publish, keep = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[6]

local before = answered(latch)
if before then
    return before
end
local head = first(queue, places, now)
if redis.call('exists', lock) == 0 then
    tell(head, channel, publish, message)
    answer(latch, 1, keep)
    return nil
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
tell(head, channel, publish, message)
return answer(latch, 1, keep)
