-- Removes the count. KEYS: the latch, its channel. ARGV: the message, publish command. Reply: 1 removed, 0 there was none.
if redis.call('del', KEYS[1]) == 0 then
    return 0
end
redis.call(ARGV[2], KEYS[2], ARGV[1])
return 1
