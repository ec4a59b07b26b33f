-- Takes the reading side of a lock. KEYS: its hash from holder to hold count, whose field "mode" is "read" or "write"; the
-- beginning of the names of keys that live as long as each hold. ARGV: the reader, the lease in ms, the field of the same
-- holder as a writer.
-- Nil when it is held now, else how long its writer's lease still runs in ms.
local lock, holds = KEYS[1], KEYS[2]
local reader, lease, writer = ARGV[1], ARGV[2], ARGV[3]

local mode = redis.call('hget', lock, 'mode')
if mode == 'write' and redis.call('hexists', lock, writer) == 0 then
    return redis.call('pttl', lock)
end
if not mode then
    redis.call('hset', lock, 'mode', 'read')
end
local hold = holds .. ':' .. redis.call('hincrby', lock, reader, 1)
redis.call('set', hold, 1)
redis.call('pexpire', hold, lease)
redis.call('pexpire', lock, math.max(redis.call('pttl', lock), lease))
return nil
