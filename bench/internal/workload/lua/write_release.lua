-- Gives back one hold of the writer of write_acquire.lua; one that reads as well keeps the lock to read. KEYS: the hash, the
-- channel of those who wait. ARGV: the writer's field, the lease in ms.
-- 1 when it doesn't write any more, 0 when it still does, nil when it didn't.
local lock, channel, writer = KEYS[1], KEYS[2], ARGV[1]

if redis.call('hget', lock, 'mode') ~= 'write' or redis.call('hexists', lock, writer) == 0 then
    return nil
end
if redis.call('hincrby', lock, writer, -1) > 0 then
    redis.call('pexpire', lock, ARGV[2])
    return 0
end
redis.call('hdel', lock, writer)
if redis.call('hlen', lock) == 1 then
    redis.call('del', lock)
else
    redis.call('hset', lock, 'mode', 'read')
end
redis.call('publish', channel, 'free')
return 1
