import type { Pool } from "pg";

export interface NewLogLine {
  edgeId: string;
  at: Date;
  version: number;
  requestId: string;
  level: string;
  text: string;
}

/** Lines of functions that were deleted are left out. */
export async function addLogLines(sql: Pool, lines: readonly NewLogLine[]): Promise<void> {
  const column = <K extends keyof NewLogLine>(name: K) => lines.map((line) => line[name]);
  await sql.query(
    `INSERT INTO edge_log_lines (edge_id, at, version, request_id, level, text)
      SELECT new.* FROM unnest($1::text[], $2::timestamptz[], $3::int[], $4::text[], $5::text[], $6::text[])
        AS new (edge_id, at, version, request_id, level, text)
      WHERE EXISTS (SELECT 1 FROM edge_functions f WHERE f.id = new.edge_id)`,
    [column("edgeId"), column("at"), column("version"), column("requestId"), column("level"), column("text")],
  );
}

export interface LogLineRow extends Omit<NewLogLine, "edgeId"> {
  id: string;
}

const COLUMNS = `id::text, at, version, request_id AS "requestId", level, text`;

/** The newest lines of a function, in the order of their arrival. */
export async function lastLogLines(sql: Pool, { edgeId, max }: { edgeId: string; max: number }): Promise<LogLineRow[]> {
  const { rows } = await sql.query<LogLineRow>(
    `SELECT ${COLUMNS} FROM edge_log_lines WHERE edge_id = $1 ORDER BY edge_log_lines.id DESC LIMIT $2`,
    [edgeId, max],
  );
  return rows.reverse();
}

/** The lines that arrived after one. */
export async function nextLogLines(
  sql: Pool,
  { edgeId, after, max }: { edgeId: string; after: string; max: number },
): Promise<LogLineRow[]> {
  const { rows } = await sql.query<LogLineRow>(
    `SELECT ${COLUMNS} FROM edge_log_lines WHERE edge_id = $1 AND edge_log_lines.id > $2 ORDER BY edge_log_lines.id LIMIT $3`,
    [edgeId, after, max],
  );
  return rows;
}

/** Deletes lines that are older, and all but the last `kept` of a function. */
export async function forgetLogLines(sql: Pool, { before, kept }: { before: Date; kept: number }): Promise<void> {
  await sql.query("DELETE FROM edge_log_lines WHERE at < $1", [before]);
  await sql.query(
    `DELETE FROM edge_log_lines l USING (
        SELECT f.id AS edge_id, o.id FROM edge_functions f, LATERAL (
          SELECT k.id FROM edge_log_lines k WHERE k.edge_id = f.id ORDER BY k.id DESC OFFSET $1 LIMIT 1) o
      ) old WHERE l.edge_id = old.edge_id AND l.id <= old.id`,
    [kept],
  );
}
