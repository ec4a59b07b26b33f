-- Takes the write lock if nobody reads or writes, or once more for who has it already.
-- KEYS: the lock. ARGV: lease in ms, the owner's name as a writer. Reply: nil if taken, else the rest of the lease in ms.
local lock, lease, writer = KEYS[1], ARGV[1], ARGV[2]

local mode = redis.call('hget', lock, 'mode')
if not mode then
    redis.call('hset', lock, 'mode', 'write', writer, 1)
    redis.call('pexpire', lock, lease)
    return nil
end
local rest = redis.call('pttl', lock)
if mode == 'write' and redis.call('hexists', lock, writer) == 1 then
    redis.call('hincrby', lock, writer, 1)
    redis.call('pexpire', lock, rest + lease)
    return nil
end
return rest
