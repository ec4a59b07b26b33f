-- Gives back one hold of the lock that fair_acquire.lua takes and, with the last one, tells him whose turn it is. KEYS: as
-- there, and the beginning of the channels' names. ARGV: the holder, the lease in ms, the time now in ms.
-- 1 when the lock is free now, 0 when it is still held, nil when ARGV[1] didn't hold it.
local lock, queue, timeouts, channel = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local holder, lease, now = ARGV[1], ARGV[2], tonumber(ARGV[3])

local first = redis.call('lindex', queue, 0)
while first and tonumber(redis.call('zscore', timeouts, first) or 0) <= now do
    redis.call('zrem', timeouts, first)
    redis.call('lpop', queue)
    first = redis.call('lindex', queue, 0)
end

if redis.call('hexists', lock, holder) == 0 then
    return nil
end
if redis.call('hincrby', lock, holder, -1) > 0 then
    redis.call('pexpire', lock, lease)
    return 0
end
redis.call('del', lock)
if first then
    redis.call('publish', channel .. ':' .. first, 'free')
end
return 1
