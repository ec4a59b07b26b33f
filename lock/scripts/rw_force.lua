-- Frees a read/write lock that is held in one mode, whoever has it. Which mode, the message says: 1 is that of a writer.
-- KEYS: the lock, its channel. ARGV: the message, publish command. Reply: 1 freed, 0 it was not held so.
local mode = ARGV[1] == '1' and 'write' or 'read'
if redis.call('hget', KEYS[1], 'mode') ~= mode then
    return 0
end
redis.call('del', KEYS[1])
redis.call(ARGV[2], KEYS[2], ARGV[1])
return 1
