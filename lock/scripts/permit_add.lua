-- Changes the number of permits, and tells by how many if there are more now.
-- KEYS: the semaphore, its channel. ARGV: by how many, publish command.
redis.call('set', KEYS[1], (redis.call('get', KEYS[1]) or 0) + ARGV[1])
if tonumber(ARGV[1]) > 0 then
    redis.call(ARGV[2], KEYS[2], ARGV[1])
end
return nil
