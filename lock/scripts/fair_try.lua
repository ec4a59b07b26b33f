-- Takes the lock if it is free and nobody else is first; does not queue.
-- KEYS: the lock, the queue, the places. ARGV: lease in ms, owner, now in ms, how long places are kept in ms.
-- Reply: nil if taken, else 1.
local lock, queue, places = KEYS[1], KEYS[2], KEYS[3]
local lease, owner, now, wait = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])

if take(lock, queue, places, owner, lease, wait, first(queue, places, now)) then
    return nil
end
return 1
