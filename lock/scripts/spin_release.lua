-- Gives back one hold; nobody is told.
-- KEYS: the lock, the latch of this request. ARGV: lease in ms of the holds that remain, owner, life of the latch in ms.
-- Reply: 1 free, 0 still held, nil not the owner's.
local lock, latch = KEYS[1], KEYS[2]
local lease, owner, keep = ARGV[1], ARGV[2], ARGV[3]

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
return answer(latch, 1, keep)
