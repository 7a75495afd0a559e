import type { Sql } from "./versions.sql";

/** How far a sweep has come; undefined: at the beginning. */
export async function readPosition<P extends object>(sql: Sql, name: string): Promise<P | undefined> {
  const { rows } = await sql.query<{ position: P | null }>("SELECT position FROM object_sweeps WHERE name = $1", [
    name,
  ]);
  return rows[0]?.position ?? undefined;
}

export async function writePosition(sql: Sql, name: string, position: object | undefined): Promise<void> {
  await sql.query(
    `INSERT INTO object_sweeps (name, position, updated_at) VALUES ($1, $2, now())
     ON CONFLICT (name) DO UPDATE SET position = excluded.position, updated_at = excluded.updated_at`,
    [name, JSON.stringify(position ?? null)],
  );
}
