-- Takes the lock and the next token, or takes it once more, with a further token, for who has it already.
-- KEYS: the lock, the token. ARGV: lease in ms, owner. Reply: -1 and the token if taken, else the rest of the lease and -1.
local lock, token, lease, owner = KEYS[1], KEYS[2], ARGV[1], ARGV[2]

if redis.call('exists', lock) == 0 or redis.call('hexists', lock, owner) == 1 then
    redis.call('hincrby', lock, owner, '1')
    redis.call('pexpire', lock, lease)
    return {-1, redis.call('incr', token)}
end
return {redis.call('pttl', lock), -1}
