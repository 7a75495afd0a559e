-- Outside Prisma's schema. Each chat and embeddings request: the log and the bill. Money is in nanos (10^-9) of the
-- installation's currency. A row is pending while its request runs, is settled once, and never changes afterwards.
-- Ids sort by time, so that old rows are deleted by a range at the low end of the primary key.
CREATE TABLE "chat_requests" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- The X-Request-ID of the request, which clients may choose: not unique.
    "request_id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "key_id" TEXT,
    "endpoint" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "upstream" TEXT,
    "is_stream" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL CHECK ("state" IN ('pending', 'settled')),
    "status" TEXT CHECK ("status" IN ('succeeded', 'failed', 'cancelled')),
    "http_status" SMALLINT,
    "error_code" TEXT,
    -- While pending: the estimate of the prompt, and what was streamed so far.
    "prompt_tokens" BIGINT NOT NULL,
    "completion_tokens" BIGINT NOT NULL DEFAULT 0,
    "has_progress" BOOLEAN NOT NULL DEFAULT false,
    -- Prices in picos (10^-12) per token.
    "input_picos" BIGINT NOT NULL,
    "output_picos" BIGINT NOT NULL,
    "cost_nanos" BIGINT NOT NULL DEFAULT 0,
    "is_estimated" BOOLEAN NOT NULL DEFAULT false,
    "is_cached" BOOLEAN NOT NULL DEFAULT false,
    "is_simulated" BOOLEAN NOT NULL DEFAULT false,
    "has_bodies" BOOLEAN NOT NULL DEFAULT false,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "first_byte_ms" INTEGER,
    "total_ms" INTEGER,
    "reserved_nanos" BIGINT NOT NULL,
    "reserved_tokens" BIGINT NOT NULL,
    -- The budgets that the request counts against: those that existed when it began.
    "budget_ids" TEXT[] NOT NULL,
    -- The svc process that runs the request; see chat_processes.
    "process_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3)
) WITH (fillfactor = 70);

CREATE INDEX "chat_requests_tenant_idx" ON "chat_requests"("tenant_id", "mode", "id");
CREATE INDEX "chat_requests_project_idx" ON "chat_requests"("project_id", "mode", "id");
CREATE INDEX "chat_requests_pending_idx" ON "chat_requests"("process_id") WHERE "state" = 'pending';

-- What requests and answers said, sealed; only of projects that have switched it on.
CREATE TABLE "chat_bodies" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "request" TEXT NOT NULL,
    "response" TEXT NOT NULL
);

-- Each window of a budget with requests. A reservation is what a running request may cost.
CREATE TABLE "chat_budget_spend" (
    "budget_id" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(0) NOT NULL,
    "spent_nanos" BIGINT NOT NULL DEFAULT 0,
    "spent_tokens" BIGINT NOT NULL DEFAULT 0,
    "reserved_nanos" BIGINT NOT NULL DEFAULT 0,
    "reserved_tokens" BIGINT NOT NULL DEFAULT 0,
    -- A request was refused in this window.
    "has_refused" BOOLEAN NOT NULL DEFAULT false,
    -- The highest percentage for which an event was recorded.
    "reached_percent" SMALLINT NOT NULL DEFAULT 0,
    PRIMARY KEY ("budget_id", "window_start")
) WITH (fillfactor = 50);

CREATE INDEX "chat_budget_spend_window_idx" ON "chat_budget_spend"("window_start");

-- The svc processes that run chat requests. `beats` grows while a process lives; the requests of one whose `beats` does
-- not grow are settled by another.
CREATE TABLE "chat_processes" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "beats" BIGINT NOT NULL
);

-- Answers that equal requests get, sealed. `key` is a keyed hash of the request.
CREATE TABLE "chat_cache" (
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "value" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY ("project_id", "mode", "key")
);

CREATE INDEX "chat_cache_expires_idx" ON "chat_cache"("expires_at");
CREATE INDEX "chat_cache_used_idx" ON "chat_cache"("used_at");

-- Reserves what each request can cost and records it as pending, or as refused. Waits for no disk: after a crash of
-- PostgreSQL itself the last instants can be missing. The counters of all budgets are locked in one order, so that two
-- processes cannot wait for each other.
CREATE FUNCTION chat_begin(entries JSONB, process TEXT)
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
      state, status, http_status, error_code, is_simulated, total_ms, settled_at)
    VALUES (e.id, e.request_id, e.tenant_id, e.project_id, e.mode, e.key_id, e.endpoint, e.model, e.is_stream,
      CASE WHEN refused IS NULL THEN e.prompt_tokens ELSE 0 END, e.input_picos, e.output_picos,
      CASE WHEN refused IS NULL THEN e.reserved_nanos ELSE 0 END,
      CASE WHEN refused IS NULL THEN e.reserved_tokens ELSE 0 END,
      CASE WHEN refused IS NULL THEN counted ELSE '{}' END, process, e.created_at,
      CASE WHEN refused IS NULL THEN 'pending' ELSE 'settled' END,
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

-- How far running requests are. Waits for no disk.
CREATE FUNCTION chat_progress(entries JSONB) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  ids TEXT[] := ARRAY(SELECT r.id FROM jsonb_to_recordset(entries) AS r(id TEXT));
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM FROM chat_requests q WHERE q.id = ANY(ids) AND q.state = 'pending' ORDER BY q.id FOR UPDATE;
  UPDATE chat_requests q SET prompt_tokens = r.prompt_tokens, completion_tokens = r.completion_tokens,
    has_progress = true
  FROM jsonb_to_recordset(entries) AS r(id TEXT, prompt_tokens BIGINT, completion_tokens BIGINT)
  WHERE q.id = ANY(ids) AND q.id = r.id AND q.state = 'pending';
END $$;

-- Bills each request once: what is settled already is left as it is. A request whose beginning was lost in a crash of
-- PostgreSQL is inserted. Counts what it cost in the window in which it began, and releases its reservation there.
-- Waits for no disk, because requests that begin would wait for the locked counters meanwhile: the caller flushes.
CREATE FUNCTION chat_settle(outcomes JSONB) RETURNS SETOF TEXT LANGUAGE plpgsql AS $$
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
      is_simulated BOOLEAN, tries INTEGER, first_byte_ms INTEGER, total_ms INTEGER, settled_at TIMESTAMPTZ,
      request_body TEXT, response_body TEXT)
  ), updated AS (
    UPDATE chat_requests q SET state = 'settled', upstream = o.upstream, status = o.status,
      http_status = o.http_status, error_code = o.error_code, prompt_tokens = o.prompt_tokens,
      completion_tokens = o.completion_tokens, cost_nanos = o.cost_nanos, is_estimated = o.is_estimated,
      is_cached = o.is_cached, is_simulated = o.is_simulated, tries = o.tries, first_byte_ms = o.first_byte_ms,
      total_ms = o.total_ms, settled_at = o.settled_at, has_bodies = o.request_body IS NOT NULL
    FROM o WHERE q.id = ANY(ids) AND q.id = o.id AND q.state = 'pending'
    RETURNING q.*
  ), inserted AS (
    INSERT INTO chat_requests (id, request_id, tenant_id, project_id, mode, key_id, endpoint, model, is_stream,
      input_picos, output_picos, reserved_nanos, reserved_tokens, budget_ids, process_id, created_at, state, upstream,
      status, http_status, error_code, prompt_tokens, completion_tokens, cost_nanos, is_estimated, is_cached,
      is_simulated, tries, first_byte_ms, total_ms, settled_at, has_bodies)
    SELECT o.id, o.request_id, o.tenant_id, o.project_id, o.mode, o.key_id, o.endpoint, o.model, o.is_stream,
      o.input_picos, o.output_picos, 0, 0, o.budget_ids, o.process_id, o.created_at, 'settled', o.upstream, o.status,
      o.http_status, o.error_code, o.prompt_tokens, o.completion_tokens, o.cost_nanos, o.is_estimated, o.is_cached,
      o.is_simulated, o.tries, o.first_byte_ms, o.total_ms, o.settled_at, o.request_body IS NOT NULL
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
