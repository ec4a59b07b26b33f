-- Takes all permits that are free. KEYS: the semaphore. Reply: how many they were.
local free = redis.call('get', KEYS[1])
if not free then
    return 0
end
redis.call('set', KEYS[1], 0)
return free
