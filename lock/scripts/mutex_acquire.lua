-- Takes the lock, or takes it once more for who has it already; the lease starts anew either way.
-- KEYS: the lock. ARGV: lease in ms, owner. Reply: nil if taken, else the rest of the holder's lease in ms.
local lock, owner, call = KEYS[1], ARGV[2], redis.call

if call('exists', lock) == 0 or call('hexists', lock, owner) == 1 then
    call('hincrby', lock, owner, '1')
    call('pexpire', lock, ARGV[1])
    return nil
end
return call('pttl', lock)
