-- Gives back one hold; with the last one the lock is free and a waiter is told.
-- KEYS: the lock, its channel, the latch of this request.
-- ARGV: the message, lease in ms of the holds that remain, owner, publish command, life of the latch in ms.
-- Reply: 1 free, 0 still held, nil not the owner's.
--
-- This is what latch.lua has for the others, written out: nothing is run more often.
local lock, latch, call = KEYS[1], KEYS[3], redis.call

local before = call('get', latch)
if before then
    return tonumber(before)
end
local holds = call('hget', lock, ARGV[3])
if not holds then
    return nil
end
if holds ~= '1' then
    call('hincrby', lock, ARGV[3], -1)
    call('pexpire', lock, ARGV[2])
    call('set', latch, '0', 'px', ARGV[5])
    return 0
end
call('del', lock)
call(ARGV[4], KEYS[2], ARGV[1])
call('set', latch, '1', 'px', ARGV[5])
return 1
