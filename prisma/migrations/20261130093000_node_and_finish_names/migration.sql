-- One word for a node. Renamed, because triggers and indexes depend on the columns.
ALTER TABLE "pod_runners" RENAME TO "pod_nodes";
ALTER TABLE "pod_nodes" RENAME CONSTRAINT "pod_runners_pkey" TO "pod_nodes_pkey";
ALTER TABLE "gpu_nodes" RENAME COLUMN "runner_id" TO "node_id";
ALTER TABLE "pod_runs" RENAME COLUMN "runner_id" TO "node_id";
ALTER TABLE "warm_images" RENAME COLUMN "runner_id" TO "node_id";
ALTER TABLE "quarantine" RENAME COLUMN "runner_id" TO "node_id";
ALTER TABLE "shared_volumes" RENAME COLUMN "runner_id" TO "node_id";
ALTER TABLE "disk_uses" RENAME COLUMN "runner_id" TO "node_id";
ALTER TABLE "private_networks" RENAME COLUMN "runner_id" TO "node_id";
ALTER TABLE "pods" RENAME COLUMN "required_runner_id" TO "required_node_id";
ALTER INDEX "pod_runs_runner_id_ended_at_idx" RENAME TO "pod_runs_node_id_ended_at_idx";
ALTER INDEX "private_networks_runner_id_idx" RENAME TO "private_networks_node_id_idx";
ALTER INDEX "shared_volumes_runner_id_state_idx" RENAME TO "shared_volumes_node_id_state_idx";
-- What is stored under the former names: pools of upgrades, and the reasons of pods, their checkpoints and snapshots.
UPDATE "fleet_upgrades" SET "pool" = 'joined-nodes' WHERE "pool" = 'machines';
UPDATE "pods" SET "reason_code" = replace("reason_code", 'machine', 'node')
WHERE "reason_code" IN ('no_machine', 'machine_away', 'machine_lost');
UPDATE "pod_checkpoints" SET "reason_code" = replace("reason_code", 'machine', 'node')
WHERE "reason_code" IN ('no_machine', 'machine_away', 'machine_lost');
UPDATE "volume_snapshots" SET "reason_code" = replace("reason_code", 'machine', 'node')
WHERE "reason_code" IN ('no_machine', 'machine_away', 'machine_lost');
-- A cordon with this text ends when the node reports again.
UPDATE "gpu_nodes" SET "cordon_reason" = 'It does not report at present.'
WHERE "cordon_reason" = 'Its machine does not report at present.';

-- A chat request is finished, not settled. The functions have the names of columns and states in their text.
ALTER TABLE "chat_requests" RENAME COLUMN "settled_at" TO "finished_at";
ALTER TABLE "chat_requests" DROP CONSTRAINT "chat_requests_state_check";
UPDATE "chat_requests" SET "state" = 'finished' WHERE "state" = 'settled';
ALTER TABLE "chat_requests" ADD CONSTRAINT "chat_requests_state_check" CHECK (state IN ('pending', 'finished'));
DROP FUNCTION chat_settle(JSONB);

-- Reserves what each request can cost and records it as pending, or as refused. Waits for no disk: after a crash of
-- PostgreSQL itself the last instants can be missing. The counters of all budgets are locked in one order, so that two
-- processes cannot wait for each other.
CREATE OR REPLACE FUNCTION chat_begin(entries JSONB, process TEXT)
RETURNS TABLE (id TEXT, refused_by TEXT, budget_ids TEXT[], stores_bodies BOOLEAN, cache_seconds INTEGER,
  offers_channel_id TEXT, offers_limit INTEGER) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  e RECORD;
  b RECORD;
  projects TEXT[];
  locked TEXT[];
  counted TEXT[];
  refused TEXT;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO chat_processes (id, beats) VALUES (process, 0) ON CONFLICT DO NOTHING;
  -- Arrays, here and below, have the rows found by their index whatever the planner knows about the tables.
  projects := ARRAY(SELECT DISTINCT r.project_id FROM jsonb_to_recordset(entries) AS r(project_id TEXT));
  locked := ARRAY(
    SELECT DISTINCT x.id FROM jsonb_to_recordset(entries) AS r(project_id TEXT, mode "Mode", key_id TEXT)
    JOIN chat_budgets x ON x.project_id = ANY(projects) AND x.project_id = r.project_id AND x.mode = r.mode
      AND (x.key_id IS NULL OR x.key_id = r.key_id) AND x.deleted_at IS NULL);
  IF cardinality(locked) > 0 THEN
    INSERT INTO chat_budget_spend AS s (budget_id, window_start)
    SELECT DISTINCT x.id, date_trunc(x."window"::text, r.created_at, 'UTC')
    FROM jsonb_to_recordset(entries) AS r(project_id TEXT, mode "Mode", key_id TEXT, created_at TIMESTAMPTZ)
    JOIN chat_budgets x ON x.id = ANY(locked) AND x.project_id = r.project_id AND x.mode = r.mode
      AND (x.key_id IS NULL OR x.key_id = r.key_id)
    ORDER BY 1, 2
    ON CONFLICT (budget_id, window_start) DO UPDATE SET spent_nanos = s.spent_nanos WHERE false;
  END IF;
  FOR e IN SELECT * FROM jsonb_to_recordset(entries) AS r(
    id TEXT, request_id TEXT, tenant_id TEXT, project_id TEXT, mode "Mode", key_id TEXT, endpoint TEXT, model TEXT,
    is_stream BOOLEAN, prompt_tokens BIGINT, input_picos BIGINT, output_picos BIGINT, reserved_nanos BIGINT,
    reserved_tokens BIGINT, created_at TIMESTAMPTZ)
  LOOP
    counted := '{}';
    refused := NULL;
    IF cardinality(locked) > 0 THEN
      FOR b IN SELECT x.id, x.action, x.amount_micros * 1000 AS nanos, x.tokens,
          s.spent_nanos + s.reserved_nanos AS used_nanos, s.spent_tokens + s.reserved_tokens AS used_tokens
        FROM chat_budgets x JOIN chat_budget_spend s
          ON s.budget_id = x.id AND s.window_start = date_trunc(x."window"::text, e.created_at, 'UTC')
        WHERE x.id = ANY(locked) AND x.project_id = e.project_id AND x.mode = e.mode
          AND (x.key_id IS NULL OR x.key_id = e.key_id) AND x.deleted_at IS NULL
        ORDER BY x.id
      LOOP
        counted := counted || b.id;
        IF refused IS NULL AND b.action = 'block' AND (
          (e.reserved_nanos > 0 AND b.used_nanos + e.reserved_nanos > b.nanos)
          OR (e.reserved_tokens > 0 AND b.used_tokens + e.reserved_tokens > b.tokens))
        THEN refused := b.id;
        END IF;
      END LOOP;
    END IF;
    IF refused IS NOT NULL THEN
      UPDATE chat_budget_spend s SET has_refused = true FROM chat_budgets x
      WHERE x.id = refused AND s.budget_id = x.id AND NOT s.has_refused
        AND s.window_start = date_trunc(x."window"::text, e.created_at, 'UTC');
    ELSIF cardinality(counted) > 0 THEN
      UPDATE chat_budget_spend s SET reserved_nanos = s.reserved_nanos + e.reserved_nanos,
        reserved_tokens = s.reserved_tokens + e.reserved_tokens
      FROM chat_budgets x
      WHERE x.id = ANY(counted) AND s.budget_id = x.id
        AND s.window_start = date_trunc(x."window"::text, e.created_at, 'UTC');
    END IF;
    INSERT INTO chat_requests (id, request_id, tenant_id, project_id, mode, key_id, endpoint, model, is_stream,
      prompt_tokens, input_picos, output_picos, reserved_nanos, reserved_tokens, budget_ids, process_id, created_at,
      state, status, http_status, error_code, is_simulated, total_ms, finished_at)
    VALUES (e.id, e.request_id, e.tenant_id, e.project_id, e.mode, e.key_id, e.endpoint, e.model, e.is_stream,
      CASE WHEN refused IS NULL THEN e.prompt_tokens ELSE 0 END, e.input_picos, e.output_picos,
      CASE WHEN refused IS NULL THEN e.reserved_nanos ELSE 0 END,
      CASE WHEN refused IS NULL THEN e.reserved_tokens ELSE 0 END,
      CASE WHEN refused IS NULL THEN counted ELSE '{}' END, process, e.created_at,
      CASE WHEN refused IS NULL THEN 'pending' ELSE 'finished' END,
      CASE WHEN refused IS NOT NULL THEN 'failed' END, CASE WHEN refused IS NOT NULL THEN 429 END,
      CASE WHEN refused IS NOT NULL THEN 'budget_exceeded' END, e.mode = 'test',
      CASE WHEN refused IS NOT NULL THEN 0 END, CASE WHEN refused IS NOT NULL THEN e.created_at END);
    id := e.id;
    refused_by := refused;
    budget_ids := counted;
    SELECT t.stores_bodies, t.cache_seconds, t.offers_channel_id, t.offers_limit
      INTO stores_bodies, cache_seconds, offers_channel_id, offers_limit
      FROM chat_settings t WHERE t.project_id = e.project_id AND t.mode = e.mode;
    RETURN NEXT;
  END LOOP;
END $$;

-- Bills each request once: what is finished already is left as it is. A request whose beginning was lost in a crash of
-- PostgreSQL is inserted. Counts what it cost in the window in which it began, and releases its reservation there.
-- Waits for no disk, because requests that begin would wait for the locked counters meanwhile: the caller flushes.
CREATE FUNCTION chat_finish(outcomes JSONB) RETURNS SETOF TEXT LANGUAGE plpgsql AS $$
DECLARE
  ids TEXT[] := ARRAY(SELECT r.id FROM jsonb_to_recordset(outcomes) AS r(id TEXT));
  done JSONB;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM FROM chat_requests q WHERE q.id = ANY(ids) AND q.state = 'pending' ORDER BY q.id FOR UPDATE;
  WITH o AS (
    SELECT * FROM jsonb_to_recordset(outcomes) AS r(
      id TEXT, request_id TEXT, tenant_id TEXT, project_id TEXT, mode "Mode", key_id TEXT, endpoint TEXT, model TEXT,
      is_stream BOOLEAN, input_picos BIGINT, output_picos BIGINT, budget_ids TEXT[], process_id TEXT,
      created_at TIMESTAMPTZ, was_admitted BOOLEAN, upstream TEXT, status TEXT, http_status INTEGER, error_code TEXT,
      prompt_tokens BIGINT, completion_tokens BIGINT, cost_nanos BIGINT, is_estimated BOOLEAN, is_cached BOOLEAN,
      is_simulated BOOLEAN, tries INTEGER, first_byte_ms INTEGER, total_ms INTEGER, finished_at TIMESTAMPTZ,
      request_body TEXT, response_body TEXT)
  ), updated AS (
    UPDATE chat_requests q SET state = 'finished', upstream = o.upstream, status = o.status,
      http_status = o.http_status, error_code = o.error_code, prompt_tokens = o.prompt_tokens,
      completion_tokens = o.completion_tokens, cost_nanos = o.cost_nanos, is_estimated = o.is_estimated,
      is_cached = o.is_cached, is_simulated = o.is_simulated, tries = o.tries, first_byte_ms = o.first_byte_ms,
      total_ms = o.total_ms, finished_at = o.finished_at, has_bodies = o.request_body IS NOT NULL
    FROM o WHERE q.id = ANY(ids) AND q.id = o.id AND q.state = 'pending'
    RETURNING q.*
  ), inserted AS (
    INSERT INTO chat_requests (id, request_id, tenant_id, project_id, mode, key_id, endpoint, model, is_stream,
      input_picos, output_picos, reserved_nanos, reserved_tokens, budget_ids, process_id, created_at, state, upstream,
      status, http_status, error_code, prompt_tokens, completion_tokens, cost_nanos, is_estimated, is_cached,
      is_simulated, tries, first_byte_ms, total_ms, finished_at, has_bodies)
    SELECT o.id, o.request_id, o.tenant_id, o.project_id, o.mode, o.key_id, o.endpoint, o.model, o.is_stream,
      o.input_picos, o.output_picos, 0, 0, o.budget_ids, o.process_id, o.created_at, 'finished', o.upstream, o.status,
      o.http_status, o.error_code, o.prompt_tokens, o.completion_tokens, o.cost_nanos, o.is_estimated, o.is_cached,
      o.is_simulated, o.tries, o.first_byte_ms, o.total_ms, o.finished_at, o.request_body IS NOT NULL
    FROM o WHERE o.was_admitted
    ON CONFLICT (id) DO NOTHING
    RETURNING *
  ), both_kinds AS (SELECT * FROM updated UNION ALL SELECT * FROM inserted),
  bodies AS (
    INSERT INTO chat_bodies (id, request, response)
    SELECT o.id, o.request_body, o.response_body FROM o JOIN both_kinds k ON k.id = o.id
    WHERE o.request_body IS NOT NULL
    ON CONFLICT DO NOTHING
  )
  SELECT jsonb_agg(jsonb_build_object('id', k.id, 'budget_ids', k.budget_ids, 'created_at', k.created_at,
      'nanos', k.cost_nanos, 'tokens', CASE WHEN k.is_cached THEN 0 ELSE k.prompt_tokens + k.completion_tokens END,
      'reserved_nanos', k.reserved_nanos, 'reserved_tokens', k.reserved_tokens))
  INTO done FROM both_kinds k;
  IF done IS NULL THEN RETURN; END IF;
  INSERT INTO chat_budget_spend AS s (budget_id, window_start, spent_nanos, spent_tokens, reserved_nanos, reserved_tokens)
  SELECT x.id, date_trunc(x."window"::text, d.created_at, 'UTC'), sum(d.nanos), sum(d.tokens),
    -sum(d.reserved_nanos), -sum(d.reserved_tokens)
  FROM jsonb_to_recordset(done) AS d(budget_ids TEXT[], created_at TIMESTAMPTZ, nanos BIGINT, tokens BIGINT,
    reserved_nanos BIGINT, reserved_tokens BIGINT)
  JOIN chat_budgets x ON x.id = ANY(d.budget_ids)
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (budget_id, window_start) DO UPDATE SET spent_nanos = s.spent_nanos + excluded.spent_nanos,
    spent_tokens = s.spent_tokens + excluded.spent_tokens,
    reserved_nanos = s.reserved_nanos + excluded.reserved_nanos,
    reserved_tokens = s.reserved_tokens + excluded.reserved_tokens;
  RETURN QUERY SELECT d.id FROM jsonb_to_recordset(done) AS d(id TEXT);
END $$;

-- Finishes the requests of an ended process as its journal tells. What another process has finished meanwhile, without
-- the journal and so as estimated, is undone first: each request is billed once, and as it really ended.
CREATE OR REPLACE FUNCTION chat_recover(outcomes JSONB) RETURNS SETOF TEXT LANGUAGE plpgsql AS $$
DECLARE
  ids TEXT[] := ARRAY(SELECT r.id FROM jsonb_to_recordset(outcomes) AS r(id TEXT));
BEGIN
  WITH guessed AS MATERIALIZED (
    SELECT q.id, q.budget_ids, q.created_at, q.cost_nanos, q.prompt_tokens + q.completion_tokens AS tokens
    FROM chat_requests q WHERE q.id = ANY(ids) AND q.state = 'finished' AND q.error_code = 'process_ended'
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
  RETURN QUERY SELECT chat_finish(outcomes);
END $$;
