"""What happens inside Redis as one step each: Redis runs nothing else meanwhile, so numbers are in the order of writes.

Keys of one store, all in one hash slot: `mmind:{STORE}:head` (schema, identity, revision, floor), `mmind:{STORE}:live`
and `mmind:{STORE}:gone` (sorted sets: id by the revision of its last change) and `mmind:{STORE}:memory:ID` (JSON).
"""

from __future__ import annotations

SCHEMA_VERSION = 1
MOST_TOMBSTONES = 10_000  # older ones give way; an index that is further behind than that compares everything once

NEWER_SCHEMA = "MMINDNEWER"
_WRITE = f"""
local head, live, gone = KEYS[1], KEYS[2], KEYS[3]
local function began()
    local schema = tonumber(redis.call('HGET', head, 'schema') or '0')
    if schema > {SCHEMA_VERSION} then return redis.error_reply('{NEWER_SCHEMA} ' .. schema) end
    if schema == 0 then redis.call('HSET', head, 'schema', {SCHEMA_VERSION}, 'identity', ARGV[1], 'floor', 0) end
end
local function next_revision() return redis.call('HINCRBY', head, 'revision', 1) end
local function bury(id)
    redis.call('ZREM', live, id)
    redis.call('ZADD', gone, next_revision(), id)
    local excess = redis.call('ZCARD', gone) - {MOST_TOMBSTONES}
    if excess > 0 then
        redis.call('HSET', head, 'floor', redis.call('ZRANGE', gone, excess - 1, excess - 1, 'WITHSCORES')[2])
        redis.call('ZREMRANGEBYRANK', gone, 0, excess - 1)
    end
end
local refused = began()
if refused then return refused end
"""

# ARGV: a new identity, the id, the value, milliseconds to live (0: for ever). KEYS: head, live, gone, memory.
PUT = f"""{_WRITE}
if ARGV[4] == '0' then redis.call('SET', KEYS[4], ARGV[3]) else redis.call('SET', KEYS[4], ARGV[3], 'PX', ARGV[4]) end
redis.call('ZREM', gone, ARGV[2])
redis.call('ZADD', live, next_revision(), ARGV[2])
return 1
"""

# As PUT, with the id alone. 1 when there was a memory.
DELETE = f"""{_WRITE}
local removed = redis.call('DEL', KEYS[4])
if removed == 1 or redis.call('ZSCORE', live, ARGV[2]) then bury(ARGV[2]) end
return removed
"""

# ARGV: a new identity, then ids whose memories were missing; KEYS: head, live, gone, then their memories. What expired
# or was removed by another program leaves the list of the living, unless it came back meanwhile.
BURY = f"""{_WRITE}
for number = 2, #ARGV do
    if redis.call('EXISTS', KEYS[number + 2]) == 0 and redis.call('ZSCORE', live, ARGV[number]) then
        bury(ARGV[number])
    end
end
return 1
"""

# KEYS: live. ARGV: what the keys of memories begin with, and the first and last rank to look at. The ids on the list of
# the living whose memories are not there. Thousands of keys are not sent to and fro, so they are not declared either:
# they lie in the slot of the list.
MISSING = """
local missing = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], ARGV[2], ARGV[3])) do
    if redis.call('EXISTS', ARGV[1] .. id) == 0 then missing[#missing + 1] = id end
end
return missing
"""
