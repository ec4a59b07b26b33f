-- Counts down, and tells those who wait when it has come to zero. KEYS: the latch, its channel.
-- ARGV: the message, publish command.
local left = redis.call('decr', KEYS[1])
if left <= 0 then
    redis.call('del', KEYS[1])
end
if left == 0 then
    redis.call(ARGV[2], KEYS[2], ARGV[1])
end
return nil
