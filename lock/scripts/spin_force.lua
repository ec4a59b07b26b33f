-- Frees the lock whoever has it. KEYS: the lock. Reply: 1 freed, 0 it was free.
return redis.call('del', KEYS[1])
