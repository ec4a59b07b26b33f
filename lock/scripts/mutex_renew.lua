-- Lets the leases of many locks start anew, of each only if its owner still has it.
-- KEYS: the locks. ARGV: lease in ms, then the owners in the same order. Reply: for each lock 1 if renewed, else 0.
local renewed = {}
for i, lock in ipairs(KEYS) do
    renewed[i] = redis.call('hexists', lock, ARGV[i + 1])
    if renewed[i] == 1 then
        redis.call('pexpire', lock, ARGV[1])
    end
end
return renewed
