-- Sets the count if there is none. KEYS: the latch, its channel. ARGV: the message, the count, publish command.
-- Reply: 1 set, 0 there was one.
if redis.call('exists', KEYS[1]) == 1 then
    return 0
end
redis.call('set', KEYS[1], ARGV[2])
redis.call(ARGV[3], KEYS[2], ARGV[1])
return 1
