-- Gives back one hold of the lock in KEYS[1] and, with the last one, tells those who listen to the channel KEYS[2].
-- 1 when the lock is free now, 0 when it is still held, nil when ARGV[1] didn't hold it.
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
    return nil
end
if redis.call('hincrby', KEYS[1], ARGV[1], -1) > 0 then
    redis.call('pexpire', KEYS[1], ARGV[2])
    return 0
end
redis.call('del', KEYS[1])
redis.call('publish', KEYS[2], 'free')
return 1
