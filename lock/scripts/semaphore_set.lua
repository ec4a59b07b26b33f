-- Sets the number of permits if there is none yet.
-- KEYS: the semaphore, its channel. ARGV: the number, publish command. Reply: 1 set, 0 there was one.
if redis.call('exists', KEYS[1]) == 1 then
    return 0
end
redis.call('set', KEYS[1], ARGV[1])
redis.call(ARGV[2], KEYS[2], ARGV[1])
return 1
