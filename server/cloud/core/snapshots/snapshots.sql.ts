import type { Pool } from "pg";
import type { Prisma } from "../../../engines/postgres/generated/client";

type Sql = Pick<Pool, "query">;

/** The topic of the round that loads a snapshot. */
export const roundOf = (topic: string): string => `snapshot-${topic}`;

/**
 * Numbers a change of what a snapshot contains, in the transaction of the change, and makes its readers load it after the
 * commit. Versions are committed in their order: another change of the snapshot waits until this transaction ends.
 */
export async function nextVersion(tx: Pick<Prisma.TransactionClient, "$queryRaw">, topic: string): Promise<bigint> {
  const rows = await tx.$queryRaw<{ version: bigint }[]>`
    INSERT INTO snapshots (topic, version) VALUES (${topic}, 1)
    ON CONFLICT (topic) DO UPDATE SET version = snapshots.version + 1 RETURNING version`;
  await tx.$queryRaw`SELECT pg_notify('svc_rounds', ${roundOf(topic)})::text`;
  return rows[0]?.version ?? 0n;
}

/**
 * The newest version of a snapshot that all living processes serve; undefined: none lives. A change has taken effect
 * everywhere when this is at least its number.
 */
export async function servedVersion(sql: Sql, topic: string): Promise<bigint | undefined> {
  const { rows } = await sql.query<{ version: string | null }>(
    "SELECT min(version)::text AS version FROM snapshot_readers WHERE topic = $1 AND lease_until > now()",
    [topic],
  );
  const version = rows[0]?.version ?? null;
  return version === null ? undefined : BigInt(version);
}

/** The newest version; 0n: nothing has changed yet. */
export async function newestVersion(sql: Sql, topic: string): Promise<bigint> {
  const { rows } = await sql.query<{ version: string }>("SELECT version::text FROM snapshots WHERE topic = $1", [
    topic,
  ]);
  return BigInt(rows[0]?.version ?? 0);
}

export interface Reader {
  topic: string;
  process: string;
  leaseMs: number;
}

/**
 * Records that a process lives and has loaded a version. One that was not known, or whose lease has ended, begins only
 * with the newest version, which cannot change meanwhile: what others were told to be everywhere is so in this one too.
 * Returns whether it may serve.
 */
export async function recordLoaded(sql: Sql, { topic, process, leaseMs }: Reader, version: bigint): Promise<boolean> {
  const until = "now() + make_interval(secs => $4::double precision / 1000)";
  const { rowCount } = await sql.query(
    `UPDATE snapshot_readers SET version = greatest(version, $3), lease_until = ${until}
     WHERE topic = $1 AND process = $2 AND lease_until > now()`,
    [topic, process, version, leaseMs],
  );
  if (rowCount === 1) return true;
  await sql.query("INSERT INTO snapshots (topic, version) VALUES ($1, 0) ON CONFLICT DO NOTHING", [topic]);
  const begun = await sql.query(
    `WITH newest AS (SELECT topic FROM snapshots WHERE topic = $1 AND version = $3 FOR SHARE)
     INSERT INTO snapshot_readers (topic, process, version, lease_until)
     SELECT topic, $2, $3, ${until} FROM newest
     ON CONFLICT (topic, process) DO UPDATE SET version = $3, lease_until = ${until}`,
    [topic, process, version, leaseMs],
  );
  return begun.rowCount === 1;
}

/** Ends the life of a process, and forgets those that ended without saying so. */
export async function forgetReader(sql: Sql, { topic, process }: Pick<Reader, "topic" | "process">): Promise<void> {
  await sql.query(
    "DELETE FROM snapshot_readers WHERE topic = $1 AND (process = $2 OR lease_until < now() - interval '1 day')",
    [topic, process],
  );
}
