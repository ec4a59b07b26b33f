-- Lets the leases of many read locks start anew, of each only if one of its owners still has it.
-- KEYS: for each lock the lock itself and the start of the keys that keep the time of its holds.
-- ARGV: lease in ms, then for each lock the number of its owners and these. Reply: for each lock 1 if renewed, else 0.
local lease = ARGV[1]
local renewed, at = {}, 2
for k = 1, #KEYS, 2 do
    local lock, prefix, owners = KEYS[k], KEYS[k + 1], tonumber(ARGV[at])
    local found = 0
    for o = at + 1, at + owners do
        local holds = redis.call('hget', lock, ARGV[o])
        if holds then
            found = 1
            redis.call('pexpire', lock, lease)
            for i = tonumber(holds), 1, -1 do
                redis.call('pexpire', prefix .. ':' .. ARGV[o] .. ':rwlock_timeout:' .. i, lease)
            end
        end
    end
    renewed[#renewed + 1] = found
    at = at + owners + 1
end
return renewed
