-- Leaves the queue. Whoever is behind moves up, and so do their places.
-- KEYS: the queue, the places. ARGV: owner, how long the place was to be kept in ms.
local queue, places = KEYS[1], KEYS[2]
local owner, wait = ARGV[1], tonumber(ARGV[2])

local behind = false
for _, other in ipairs(redis.call('lrange', queue, 0, -1)) do
    if behind then
        redis.call('zincrby', places, -wait, other)
    end
    behind = behind or other == owner
end
redis.call('zrem', places, owner)
redis.call('lrem', queue, 0, owner)
return nil
