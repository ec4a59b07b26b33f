-- Frees the lock whoever has it.
-- KEYS: the lock, its channel. ARGV: the message, publish command. Reply: 1 freed, 0 it was free.
if redis.call('del', KEYS[1]) == 0 then
    return 0
end
redis.call(ARGV[2], KEYS[2], ARGV[1])
return 1
