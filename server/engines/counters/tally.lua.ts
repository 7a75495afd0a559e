/**
 * Tallies in Redis, in one step. KEYS: the tallies; ARGV: for each of them the addition and its life in ms. Returns
 * their new totals. A key expires its life after the last addition.
 */
export const TALLY_LUA = `
local totals = {}
for i, key in ipairs(KEYS) do
  local by = ARGV[2 * i - 1]
  if by == '0' then
    totals[i] = tonumber(redis.call('GET', key) or 0)
  else
    totals[i] = redis.call('INCRBY', key, by)
    redis.call('PEXPIRE', key, ARGV[2 * i])
  end
end
return totals
`;
