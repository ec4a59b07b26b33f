-- Takes the lock, or takes it once more for who has it already; the lease starts anew either way.
-- KEYS: the lock. ARGV: lease in ms, owner. Reply: nil if taken, else the rest of the holder's lease in ms.
local lock, lease, owner = KEYS[1], ARGV[1], ARGV[2]

if redis.call('exists', lock) == 0 or redis.call('hexists', lock, owner) == 1 then
    redis.call('hincrby', lock, owner, '1')
    redis.call('pexpire', lock, lease)
    return nil
end
return redis.call('pttl', lock)
