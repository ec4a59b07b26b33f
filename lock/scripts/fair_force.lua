-- Frees the lock whoever has it, and tells the first in the queue.
-- KEYS: the lock, the queue, the places, the channel. ARGV: the message, now in ms, publish command.
-- Reply: 1 freed, 0 it was free.
local head = first(KEYS[2], KEYS[3], tonumber(ARGV[2]))
if redis.call('del', KEYS[1]) == 0 then
    return 0
end
tell(head, KEYS[4], ARGV[3], ARGV[1])
return 1
