-- Takes a re-entrant lock: KEYS[1] is its hash from holder to hold count, ARGV[1] the holder, ARGV[2] the lease in ms.
-- Nil when it is held now, else how long its holder's lease still runs in ms.
if redis.call('exists', KEYS[1]) == 1 and redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
    return redis.call('pttl', KEYS[1])
end
redis.call('hincrby', KEYS[1], ARGV[1], 1)
redis.call('pexpire', KEYS[1], ARGV[2])
return nil
