-- What the scripts of the fair lock share. The queue is a list of owners, first come first; a sorted set says until when
-- the place of each is kept, in ms since the epoch.

-- Drops those at the head whose place has lapsed, and returns who is first then.
local function first(queue, places, now)
    while true do
        local head = redis.call('lindex', queue, 0)
        if not head then
            return nil
        end
        local lapses = redis.call('zscore', places, head)
        if not lapses or tonumber(lapses) > now then
            return head
        end
        redis.call('lpop', queue)
        redis.call('zrem', places, head)
    end
end

-- Takes a free lock if nobody else is first, or one that the owner has already.
local function take(lock, queue, places, owner, lease, wait, head)
    if redis.call('exists', lock) == 0 and (not head or head == owner) then
        redis.call('lpop', queue)
        redis.call('zrem', places, owner)
        for _, other in ipairs(redis.call('zrange', places, 0, -1)) do
            redis.call('zincrby', places, -wait, other)
        end
        redis.call('hset', lock, owner, 1)
        redis.call('pexpire', lock, lease)
        return true
    end
    if redis.call('hexists', lock, owner) == 1 then
        redis.call('hincrby', lock, owner, '1')
        redis.call('pexpire', lock, lease)
        return true
    end
    return false
end

-- Tells whoever is first, on a channel of its own, that the lock is free.
local function tell(head, channel, publish, message)
    if head then
        redis.call(publish, channel .. ':' .. head, message)
    end
end
