-- Settles the requests of an ended process as its journal tells. What another process has settled meanwhile, without the
-- journal and so as estimated, is undone first: each request is billed once, and as it really ended.
CREATE FUNCTION chat_recover(outcomes JSONB) RETURNS SETOF TEXT LANGUAGE plpgsql AS $$
DECLARE
  ids TEXT[] := ARRAY(SELECT r.id FROM jsonb_to_recordset(outcomes) AS r(id TEXT));
BEGIN
  WITH guessed AS MATERIALIZED (
    SELECT q.id, q.budget_ids, q.created_at, q.cost_nanos, q.prompt_tokens + q.completion_tokens AS tokens
    FROM chat_requests q WHERE q.id = ANY(ids) AND q.state = 'settled' AND q.error_code = 'process_ended'
    ORDER BY q.id FOR UPDATE
  ), reopened AS (
    UPDATE chat_requests q SET state = 'pending', cost_nanos = 0, reserved_nanos = 0, reserved_tokens = 0
    FROM guessed g WHERE q.id = g.id
  )
  UPDATE chat_budget_spend s SET spent_nanos = s.spent_nanos - d.nanos, spent_tokens = s.spent_tokens - d.tokens
  FROM (
    SELECT x.id, date_trunc(x."window"::text, g.created_at, 'UTC') AS window_start, sum(g.cost_nanos) AS nanos,
      sum(g.tokens) AS tokens
    FROM guessed g JOIN chat_budgets x ON x.id = ANY(g.budget_ids)
    GROUP BY 1, 2
  ) d
  WHERE s.budget_id = d.id AND s.window_start = d.window_start;
  RETURN QUERY SELECT chat_settle(outcomes);
END $$;
