-- Gives back one hold of the write lock. After the last one the owner's read holds remain, if there are any; else the lock is
-- free and all who wait are told.
-- KEYS: the lock, its channel, the latch of this request.
-- ARGV: the message, lease in ms of the holds that remain, the owner's name as a writer, publish command, life of the latch
-- in ms. Reply: 1 no longer written, 0 still held, nil not the owner's.
local lock, channel, latch = KEYS[1], KEYS[2], KEYS[3]
local message, lease, writer, publish, keep = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

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
if mode ~= 'write' or redis.call('hexists', lock, writer) == 0 then
    return nil
end
if redis.call('hincrby', lock, writer, -1) > 0 then
    redis.call('pexpire', lock, lease)
    return answer(latch, 0, keep)
end
redis.call('hdel', lock, writer)
if redis.call('hlen', lock) > 1 then
    redis.call('hset', lock, 'mode', 'read')
else
    redis.call('del', lock)
    redis.call(publish, channel, message)
end
return answer(latch, 1, keep)
