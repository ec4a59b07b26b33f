-- Takes a lock that is had in the order of asking. KEYS: the lock's hash from holder to hold count, the list of those who
-- wait, and the sorted set of when each of them is given up. ARGV: the holder, the lease in ms, how long one may keep the
-- others waiting once it is his turn in ms, the time now in ms.
-- Nil when it is held now, else how long to wait in ms.
local lock, queue, timeouts = KEYS[1], KEYS[2], KEYS[3]
local holder, lease, patience, now = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])

local first = redis.call('lindex', queue, 0)
while first and tonumber(redis.call('zscore', timeouts, first) or 0) <= now do
    redis.call('zrem', timeouts, first)
    redis.call('lpop', queue)
    first = redis.call('lindex', queue, 0)
end

if redis.call('exists', lock) == 0 and (not first or first == holder) then
    redis.call('lpop', queue)
    redis.call('zrem', timeouts, holder)
    for _, waiter in ipairs(redis.call('zrange', timeouts, 0, -1)) do
        redis.call('zincrby', timeouts, -patience, waiter)
    end
    redis.call('hset', lock, holder, 1)
    redis.call('pexpire', lock, lease)
    return nil
end
if redis.call('hexists', lock, holder) == 1 then
    redis.call('hincrby', lock, holder, 1)
    redis.call('pexpire', lock, lease)
    return nil
end

local mine = redis.call('zscore', timeouts, holder)
if mine then
    return tonumber(mine) - patience - now
end
local last = redis.call('lindex', queue, -1)
local ttl
if last then
    ttl = tonumber(redis.call('zscore', timeouts, last)) - now
else
    ttl = redis.call('pttl', lock)
end
redis.call('zadd', timeouts, ttl + patience + now, holder)
redis.call('rpush', queue, holder)
return ttl
