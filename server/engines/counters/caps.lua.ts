/**
 * `cap-sets.ts` inside Redis. Each KEYS[i] is one window of one user: a sorted set of ids, scored by the server time
 * (ms) at which they stop counting, so a set never holds more than its limit and the window slides exactly.
 * Answers { server time in ms, one verdict per candidate: 0 reserved, -1 not needed, i blocked by KEYS[i] }.
 * ARGV: hold ms, wanted, then limit and window ms of each key, then for each candidate: id, n, n indexes into KEYS.
 */
export const RESERVE_LUA = `
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000)
local hold, wanted = tonumber(ARGV[1]), tonumber(ARGV[2])
local limit, window, used = {}, {}, {}
for i = 1, #KEYS do
  limit[i], window[i] = tonumber(ARGV[1 + 2 * i]), tonumber(ARGV[2 + 2 * i])
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', string.format('%.0f', now))
  used[i] = redis.call('ZCARD', KEYS[i])
end
local out, got, p = { now }, 0, 3 + 2 * #KEYS
while ARGV[p] do
  local id, n, verdict = ARGV[p], tonumber(ARGV[p + 1]), 0
  if got >= wanted then
    verdict = -1
  else
    for j = 1, n do
      local k = tonumber(ARGV[p + 1 + j])
      if used[k] >= limit[k] and not redis.call('ZSCORE', KEYS[k], id) then verdict = k break end
    end
  end
  if verdict == 0 then
    got = got + 1
    for j = 1, n do
      local k = tonumber(ARGV[p + 1 + j])
      local stop = now + math.min(hold, window[k])
      used[k] = used[k] + redis.call('ZADD', KEYS[k], 'NX', string.format('%.0f', stop), id)
      local ttl = stop - now + 1
      if redis.call('PTTL', KEYS[k]) < ttl then redis.call('PEXPIRE', KEYS[k], string.format('%.0f', ttl)) end
    end
  end
  out[#out + 1] = verdict
  p = p + 2 + n
end
return out
`;

/**
 * ARGV: 'settle' or 'restore', id, the server time in ms of the reservation, then the window ms of each key.
 * Answers how many keys count the id now. Settle changes only what is still held; restore adds what is missing.
 */
export const SETTLE_LUA = `
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000)
local found = 0
for i = 1, #KEYS do
  local score = tonumber(redis.call('ZSCORE', KEYS[i], ARGV[2]) or 0)
  if score > now or ARGV[1] == 'restore' then
    local stop = math.max(score, tonumber(ARGV[3]) + tonumber(ARGV[3 + i]))
    if stop > now then
      found = found + 1
      redis.call('ZADD', KEYS[i], string.format('%.0f', stop), ARGV[2])
      local ttl = stop - now + 1
      if redis.call('PTTL', KEYS[i]) < ttl then redis.call('PEXPIRE', KEYS[i], string.format('%.0f', ttl)) end
    end
  end
end
return found
`;

/** ARGV: id. Answers how many keys held it. */
export const RELEASE_LUA = `
local found = 0
for i = 1, #KEYS do found = found + redis.call('ZREM', KEYS[i], ARGV[1]) end
return found
`;
