-- Takes the read lock, unless somebody else has the write lock.
-- KEYS: the lock, the start of the keys that keep the time of each hold of this owner.
-- ARGV: lease in ms, owner, the owner's name as a writer. Reply: nil if taken, else the rest of the writer's lease in ms.
local lock, hold = KEYS[1], KEYS[2]
local lease, owner, writer = ARGV[1], ARGV[2], ARGV[3]

local mode = redis.call('hget', lock, 'mode')
if mode == 'write' and redis.call('hexists', lock, writer) == 0 then
    return redis.call('pttl', lock)
end
local rest = -1
if mode then
    rest = redis.call('pttl', lock)
else
    redis.call('hset', lock, 'mode', 'read')
end
local holds = redis.call('hincrby', lock, owner, '1')
redis.call('set', hold .. ':' .. holds, 1, 'px', lease)
redis.call('pexpire', lock, math.max(rest, lease))
return nil
