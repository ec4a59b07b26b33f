-- Takes permits if the rate allows it now.
-- KEYS: the limiter, the free permits and the same of this client, the permits taken and the same of this client.
-- ARGV: how many, now in ms since the epoch, 16 random bytes. Reply: nil if taken, else how many ms to wait.
local n, now, random = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
assert(rate >= n, 'Requested permits amount cannot exceed defined rate')

local wait = nil
if tonumber(free(now)) < n then
    local oldest = redis.call('zrange', taken, 0, 0, 'withscores')
    wait = 3 + interval - (now - tonumber(oldest[2]))
else
    redis.call('zadd', taken, now, struct.pack('Bc0I', string.len(random), random, n))
    redis.call('decrby', value, n)
end
local keep = tonumber(limiter[4])
if keep and keep > 0 then
    redis.call('pexpire', KEYS[1], keep)
end
local rest = redis.call('pttl', KEYS[1])
if rest > 0 then
    redis.call('pexpire', value, rest)
    redis.call('pexpire', taken, rest)
end
return wait
