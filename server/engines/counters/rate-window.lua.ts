/**
 * `rate-window.ts` in Redis, in one step and on the server's clock. KEYS[1] is a list of the times (ms) at which
 * requests stop counting, in order; ARGV: count, window in ms. Returns { allowed 0|1, remaining, retry after in ms,
 * reset in ms }. The key expires with its last request.
 */
export const RATE_WINDOW_LUA = `
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000)
local count, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local first = redis.call('LINDEX', KEYS[1], 0)
while first and tonumber(first) <= now do
  redis.call('LPOP', KEYS[1])
  first = redis.call('LINDEX', KEYS[1], 0)
end
local used = redis.call('LLEN', KEYS[1])
if used < count then
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now + window))
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', window))
  return { 1, count - used - 1, 0, window }
end
local free = tonumber(redis.call('LINDEX', KEYS[1], used - count))
local last = tonumber(redis.call('LINDEX', KEYS[1], -1))
return { 0, 0, free - now, last - now }
`;
