/**
 * `cap-sets.ts` in Redis. Each KEYS[i] is one window of one user: a sorted set of ids, scored by the server time (ms)
 * at which they stop counting, so a set never has more entries than its limit and the window slides exactly. Returns {
 * server time in ms, one result per candidate: 0 reserved, -1 not needed, i blocked by KEYS[i] }. ARGV: hold ms (0 only
 * reads), wanted, n windows, epoch, then limit and window ms of each window, then for each candidate: id, n, n indexes
 * into KEYS. With an epoch, KEYS[n + 1] must contain it (redis-epoch.ts), otherwise { -1 } is returned. The check is in
 * the same step as the counting, so that low counts of an emptied server are never used.
 */
export const RESERVE_LUA = `
local hold, wanted, n = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if ARGV[4] ~= '' and redis.call('HGET', KEYS[n + 1], 'epoch') ~= ARGV[4] then return { -1 } end
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000)
local limit, window, used, taken = {}, {}, {}, {}
-- By key, not by index: several limits may stand on one window.
for i = 1, n do
  limit[i], window[i] = tonumber(ARGV[3 + 2 * i]), tonumber(ARGV[4 + 2 * i])
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', string.format('%.0f', now))
  used[KEYS[i]] = redis.call('ZCARD', KEYS[i])
end
local function holds(k, id) return taken[KEYS[k] .. ' ' .. id] or redis.call('ZSCORE', KEYS[k], id) end
local function take(k, id)
  used[KEYS[k]] = used[KEYS[k]] + 1
  taken[KEYS[k] .. ' ' .. id] = true
  if hold == 0 then return end
  local stop = now + math.min(hold, window[k])
  redis.call('ZADD', KEYS[k], 'NX', string.format('%.0f', stop), id)
  local ttl = stop - now + 1
  if redis.call('PTTL', KEYS[k]) < ttl then redis.call('PEXPIRE', KEYS[k], string.format('%.0f', ttl)) end
end
local out, got, p = { now }, 0, 5 + 2 * n
while ARGV[p] do
  local id, count, verdict = ARGV[p], tonumber(ARGV[p + 1]), 0
  if got >= wanted then
    verdict = -1
  else
    for j = 1, count do
      local k = tonumber(ARGV[p + 1 + j])
      if used[KEYS[k]] >= limit[k] and not holds(k, id) then verdict = k break end
    end
  end
  if verdict == 0 then
    got = got + 1
    for j = 1, count do
      local k = tonumber(ARGV[p + 1 + j])
      if not holds(k, id) then take(k, id) end
    end
  end
  out[#out + 1] = verdict
  p = p + 2 + count
end
return out
`;

/**
 * ARGV: id, the server time in ms of the reservation, then for each key the ms that it counts from then on. Returns how
 * many keys count the id now.
 */
export const CONFIRM_LUA = `
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000)
local found = 0
for i = 1, #KEYS do
  local score = tonumber(redis.call('ZSCORE', KEYS[i], ARGV[1]) or 0)
  local stop = math.max(score, tonumber(ARGV[2]) + tonumber(ARGV[2 + i]))
  if stop > now then
    found = found + 1
    redis.call('ZADD', KEYS[i], string.format('%.0f', stop), ARGV[1])
    local ttl = stop - now + 1
    if redis.call('PTTL', KEYS[i]) < ttl then redis.call('PEXPIRE', KEYS[i], string.format('%.0f', ttl)) end
  end
end
return found
`;

/** ARGV: id. Returns how many keys contained it. */
export const RELEASE_LUA = `
local found = 0
for i = 1, #KEYS do found = found + redis.call('ZREM', KEYS[i], ARGV[1]) end
return found
`;
