-- Sets the rate if there is none. KEYS: the limiter.
-- ARGV: permits, the interval in ms, 0 for all clients together or 1 for each, how long an idle limiter is kept in ms.
-- Reply: 1 set, 0 there was one.
redis.call('hsetnx', KEYS[1], 'rate', ARGV[1])
redis.call('hsetnx', KEYS[1], 'interval', ARGV[2])
redis.call('hsetnx', KEYS[1], 'keepAliveTime', ARGV[4])
local fresh = redis.call('hsetnx', KEYS[1], 'type', ARGV[3])
if tonumber(ARGV[4]) > 0 and fresh == 1 then
    redis.call('pexpire', KEYS[1], ARGV[4])
end
return fresh
