-- Takes permits if there are enough. KEYS: the semaphore. ARGV: how many. Reply: 1 taken, 0 not.
local free = redis.call('get', KEYS[1])
if free and tonumber(free) >= tonumber(ARGV[1]) then
    redis.call('decrby', KEYS[1], ARGV[1])
    return 1
end
return 0
