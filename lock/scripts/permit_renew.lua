-- Changes when a permit lapses.
-- KEYS: the semaphore, the permits that are out, the channel.
-- ARGV: the id, when it is to lapse and now (ms since the epoch), publish command. Reply: 1 changed, 0 it had lapsed.
lapse(KEYS[1], KEYS[2], KEYS[3], ARGV[3], -1, ARGV[4])
if not redis.call('zscore', KEYS[2], ARGV[1]) then
    return 0
end
redis.call('zadd', KEYS[2], ARGV[2], ARGV[1])
return 1
