-- Unlocks of all kinds begin with this: a request that was carried out before is answered from its latch.
local function answered(latch)
    local before = redis.call('get', latch)
    return before and tonumber(before)
end

local function answer(latch, result, keep)
    redis.call('set', latch, result == 1 and '1' or '0', 'px', keep) -- text, which need not be formatted
    return result
end
