-- Takes the lock, or a place in the queue.
-- KEYS: the lock, the queue, the places. ARGV: lease in ms, owner, how long the place is kept in ms, now in ms.
-- Reply: nil if taken, else how long it may take, in ms.
local lock, queue, places = KEYS[1], KEYS[2], KEYS[3]
local lease, owner, wait, now = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])

if take(lock, queue, places, owner, lease, wait, first(queue, places, now)) then
    return nil
end
local left = redis.call('pttl', lock)
if redis.call('zscore', places, owner) then
    return math.max(0, left)
end
local last = redis.call('lindex', queue, -1)
local before = last and last ~= owner and redis.call('zscore', places, last)
if before then
    left = tonumber(before) - now
end
if redis.call('zadd', places, left + wait + now, owner) == 1 then
    redis.call('rpush', queue, owner)
end
return left
