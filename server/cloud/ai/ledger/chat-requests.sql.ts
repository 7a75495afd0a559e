import type { Pool } from "pg";
import type { Mode } from "../../../operation/actor";

/** A request as it begins, in the columns of `chat_requests`; bigints as text, because they travel as JSON. */
export interface BegunRow {
  id: string;
  request_id: string;
  tenant_id: string;
  project_id: string;
  mode: Mode;
  key_id: string | null;
  endpoint: string;
  model: string;
  is_stream: boolean;
  prompt_tokens: number;
  input_picos: string;
  output_picos: string;
  reserved_nanos: string;
  reserved_tokens: number;
  created_at: Date;
}

export interface Admission {
  id: string;
  refused_by: string | null;
  budget_ids: string[];
  stores_bodies: boolean | null;
  cache_seconds: number | null;
  offers_channel_id: string | null;
  offers_limit: number | null;
}

/** Admits or refuses each request, in order, in one transaction that waits for no disk. */
export async function beginRequests(sql: Pool, processId: string, rows: readonly BegunRow[]): Promise<Admission[]> {
  const { rows: admissions } = await sql.query<Admission>({
    name: "chat_begin",
    text: "SELECT * FROM chat_begin($1::jsonb, $2)",
    values: [JSON.stringify(rows), processId],
  });
  return admissions;
}

export interface ProgressRow {
  id: string;
  prompt_tokens: number;
  completion_tokens: number;
}

export async function storeProgress(sql: Pool, rows: readonly ProgressRow[]): Promise<void> {
  await sql.query({ name: "chat_progress", text: "SELECT chat_progress($1::jsonb)", values: [JSON.stringify(rows)] });
}

/** How a request ended, with the columns that its row has since it began. */
export interface FinishedRow extends Omit<BegunRow, "reserved_nanos" | "reserved_tokens"> {
  budget_ids: readonly string[];
  process_id: string;
  /** False if it is unknown whether the beginning was stored: a missing row is then not inserted. */
  was_admitted: boolean;
  upstream: string | null;
  status: "succeeded" | "failed" | "cancelled";
  http_status: number;
  error_code: string | null;
  completion_tokens: number;
  cost_nanos: string;
  is_estimated: boolean;
  is_cached: boolean;
  is_simulated: boolean;
  tries: number;
  first_byte_ms: number | null;
  total_ms: number;
  finished_at: Date;
  request_body: string | null;
  response_body: string | null;
}

/**
 * Finishes the requests that are pending, and returns their ids. Waits for no disk, so that no locks are held meanwhile: a
 * crash of PostgreSQL can undo it until `flushCommits` has resolved.
 */
export async function finishRequests(sql: Pool, rows: readonly FinishedRow[]): Promise<string[]> {
  const { rows: finished } = await sql.query<{ id: string }>({
    name: "chat_finish",
    text: "SELECT chat_finish AS id FROM chat_finish($1::jsonb)",
    values: [JSON.stringify(rows)],
  });
  return finished.map(({ id }) => id);
}

/**
 * Resolves when everything that was committed before is on disk, with how many of these requests are finished: fewer, if
 * PostgreSQL has crashed since.
 */
export async function flushCommits(sql: Pool, ids: readonly string[]): Promise<number> {
  const { rows } = await sql.query<{ finished: number }>({
    name: "chat_flush",
    text: `SELECT pg_logical_emit_message(true, 'svc.chat', ''),
      (SELECT count(*) FROM chat_requests WHERE id = ANY($1) AND state = 'finished')::int AS finished`,
    values: [ids],
  });
  return rows[0]?.finished ?? 0;
}

/** Finishes requests of ended processes, also those that were finished without knowing how they ended; returns their ids. */
export async function recoverOutcomes(sql: Pool, rows: readonly FinishedRow[]): Promise<string[]> {
  const { rows: finished } = await sql.query<{ id: string }>("SELECT chat_recover AS id FROM chat_recover($1::jsonb)", [
    JSON.stringify(rows),
  ]);
  return finished.map(({ id }) => id);
}

/** How far these requests were when that was last stored; those without progress are left out. */
export async function progressOf(sql: Pool, ids: readonly string[]): Promise<ProgressRow[]> {
  const { rows } = await sql.query<{ id: string; prompt_tokens: bigint; completion_tokens: bigint }>(
    "SELECT id, prompt_tokens, completion_tokens FROM chat_requests WHERE id = ANY($1) AND has_progress",
    [ids],
  );
  return rows.map((row) => ({
    id: row.id,
    prompt_tokens: Number(row.prompt_tokens),
    completion_tokens: Number(row.completion_tokens),
  }));
}

/** The ids of the processes that have requests, or had until lately; some may have ended without saying so. */
export async function registeredProcesses(sql: Pool): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>("SELECT id FROM chat_processes");
  return rows.map(({ id }) => id);
}

/** Registers a process, or shows that it lives. */
export async function recordHeartbeat(sql: Pool, processId: string): Promise<void> {
  await sql.query({
    name: "chat_beat",
    text: "INSERT INTO chat_processes AS p (id, beats) VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET beats = p.beats + 1",
    values: [processId],
  });
}

export async function forgetProcess(sql: Pool, processId: string): Promise<void> {
  await sql.query("DELETE FROM chat_processes WHERE id = $1", [processId]);
}

/** Every registered process, and every one with pending requests; `beats` is null for one that is not registered. */
export async function knownProcesses(sql: Pool): Promise<{ id: string; beats: bigint | null }[]> {
  const { rows } = await sql.query<{ id: string; beats: bigint | null }>(
    `SELECT coalesce(p.id, q.process_id) AS id, p.beats
     FROM chat_processes p
     FULL JOIN (SELECT DISTINCT process_id FROM chat_requests WHERE state = 'pending') q ON q.process_id = p.id`,
  );
  return rows;
}

/** A pending request, with what was streamed so far. */
export type PendingRow = Omit<BegunRow, "reserved_nanos" | "reserved_tokens" | "input_picos" | "output_picos"> & {
  input_picos: bigint;
  output_picos: bigint;
  completion_tokens: bigint;
  budget_ids: string[];
  has_progress: boolean;
};

export async function pendingOf(sql: Pool, processId: string, max: number): Promise<PendingRow[]> {
  const { rows } = await sql.query<PendingRow>(
    `SELECT id, request_id, tenant_id, project_id, mode, key_id, endpoint, model, is_stream, prompt_tokens, input_picos,
       output_picos, completion_tokens, budget_ids, has_progress, created_at
     FROM chat_requests WHERE process_id = $1 AND state = 'pending' ORDER BY id LIMIT $2`,
    [processId, max],
  );
  return rows;
}

/** What a refused request is told about the budget. */
export async function budgetTerms(sql: Pool, id: string) {
  const { rows } = await sql.query<{ name: string; window: "day" | "month"; key_id: string | null }>(
    `SELECT name, "window", key_id FROM chat_budgets WHERE id = $1`,
    [id],
  );
  return rows[0];
}

const DELETED_ROWS = 5000;

/** Deletes requests and bodies whose id is lower, in statements of 5,000. */
export async function deleteRequestsBefore(sql: Pool, id: string): Promise<void> {
  for (const table of ["chat_bodies", "chat_requests"]) {
    const deleteSome = () =>
      sql.query(
        `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE id < $1 ORDER BY id LIMIT ${DELETED_ROWS})`,
        [id],
      );
    while ((await deleteSome()).rowCount === DELETED_ROWS);
  }
}
