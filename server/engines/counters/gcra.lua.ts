/**
 * `gcra.ts` in Redis, in one step and on the server's clock, so that the callers' clocks do not matter. KEYS[1] the
 * bucket; ARGV: interval, burst and cost in microseconds. Returns { allowed 0|1, remaining, retry after in ms, reset in
 * ms }. The key expires when the bucket is full.
 */
export const GCRA_LUA = `
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000000 + tonumber(t[2])
local interval, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local before = tonumber(redis.call('GET', KEYS[1]) or now)
before = math.min(math.max(before, now), now + burst)
local wanted = before + cost
local allowed = wanted - burst <= now
local after = allowed and wanted or before
if allowed and cost > 0 then
  -- tostring() would cut a number of 16 digits to 14
  redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', string.format('%.0f', math.ceil((after - now) / 1000) + 1))
end
local retry = 0
if not allowed then retry = math.ceil((wanted - burst - now) / 1000) end
return { allowed and 1 or 0, math.floor((burst - (after - now)) / interval), retry, math.ceil((after - now) / 1000) }
`;
