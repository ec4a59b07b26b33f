-- Takes the writing side of the lock of read_acquire.lua. KEYS: its hash. ARGV: the writer's field, the lease in ms.
-- Nil when it is held now, else how long the lease of those who hold it still runs in ms.
local lock, writer, lease = KEYS[1], ARGV[1], ARGV[2]

local mode = redis.call('hget', lock, 'mode')
if not mode then
    redis.call('hset', lock, 'mode', 'write')
elseif mode ~= 'write' or redis.call('hexists', lock, writer) == 0 then
    return redis.call('pttl', lock)
end
local rest = math.max(redis.call('pttl', lock), 0)
redis.call('hincrby', lock, writer, 1)
redis.call('pexpire', lock, rest + lease)
return nil
