import type { Pool } from "pg";
import type { Prisma } from "../../../engines/postgres/generated/client";

type Sql = Pick<Pool, "query">;

/** The topic of the round with which each process follows the changes. */
export const FOLLOWING = "served-copies";

/** So many changes are listed; a process that has missed more forgets all its copies. */
const LISTED_MAX = 10_000;

/** What processes serve under a key of a topic. */
export interface ServedKey {
  topic: string;
  key: string;
}

/**
 * Numbers a change, in its transaction, and notifies the processes at its commit. Other changes wait until this transaction
 * ends, so that versions are committed in their order: call it last.
 */
export async function recordChange(
  tx: Pick<Prisma.TransactionClient, "$queryRaw" | "$executeRaw">,
  { topic, key }: ServedKey,
): Promise<void> {
  await tx.$queryRaw`
    WITH newest AS (
      INSERT INTO served_versions (id, version, forgotten) VALUES (1, 1, 0)
      ON CONFLICT (id) DO UPDATE SET version = served_versions.version + 1,
        forgotten = greatest(served_versions.forgotten, served_versions.version + 1 - ${LISTED_MAX}::int)
      RETURNING version)
    INSERT INTO served_changes (topic, key, version) SELECT ${topic}, ${key}, version FROM newest
    ON CONFLICT (topic, key) DO UPDATE SET version = EXCLUDED.version
    RETURNING pg_notify('svc_rounds', ${FOLLOWING})::text`;
  await tx.$executeRaw`DELETE FROM served_changes WHERE version <= (SELECT forgotten FROM served_versions)`;
}

/** Which processes serve the last change of a key: each living one, not yet each, or none, because none serves the topic. */
export type ServedBy = "all" | "some" | "none";

/** Who serves the last change of each key of a topic. */
export async function servedBy(
  sql: Sql,
  { topic, keys }: { topic: string; keys: readonly string[] },
): Promise<ReadonlyMap<string, ServedBy>> {
  const { rows } = await sql.query<{ key: string; by: ServedBy }>({
    name: "served_by",
    text: `WITH served AS (SELECT min(version) AS version FROM serving_processes WHERE topics @> ARRAY[$1] AND lease_until > now())
      SELECT asked.key, CASE WHEN served.version IS NULL THEN 'none'
        WHEN served.version >= coalesce(c.version, (SELECT forgotten FROM served_versions), 0) THEN 'all'
        ELSE 'some' END AS by
      FROM served, unnest($2::text[]) AS asked(key) LEFT JOIN served_changes c ON c.topic = $1 AND c.key = asked.key`,
    values: [topic, keys],
  });
  return new Map(rows.map(({ key, by }) => [key, by]));
}

export interface Following {
  process: string;
  topics: readonly string[];
  leaseMs: number;
  /** The change up to which the process has forgotten older copies; undefined: it has none. */
  upTo: bigint | undefined;
}

export interface Changes {
  /** The number of the last one. */
  newest: bigint;
  /** What has changed since `upTo`; undefined: too much to list. */
  changed: ServedKey[] | undefined;
}

/** Extends the lease of a process, whose version others wait for, and returns what has changed. */
export async function followChanges(sql: Sql, { process, topics, leaseMs, upTo }: Following): Promise<Changes> {
  const { rows } = await sql.query<{ newest: string; isListed: boolean; changed: ServedKey[] }>({
    name: "follow_served_changes",
    text: `WITH newest AS (SELECT coalesce(max(version), 0) AS version, coalesce(max(forgotten), 0) AS forgotten FROM served_versions),
      said AS (
        INSERT INTO serving_processes (process, topics, version, lease_until)
        SELECT $1, $2, coalesce($3::bigint, version), now() + make_interval(secs => $4::double precision / 1000) FROM newest
        ON CONFLICT (process) DO UPDATE
          SET topics = EXCLUDED.topics, version = EXCLUDED.version, lease_until = EXCLUDED.lease_until)
      SELECT version::text AS newest, coalesce($3::bigint >= forgotten, true) AS "isListed",
        (SELECT coalesce(json_agg(json_build_object('topic', c.topic, 'key', c.key)), '[]') FROM served_changes c
          WHERE c.version > $3::bigint AND c.topic = ANY($2)) AS changed
      FROM newest`,
    values: [process, topics, upTo ?? null, leaseMs],
  });
  const [{ newest, isListed, changed } = { newest: "0", isListed: true, changed: [] }] = rows;
  return { newest: BigInt(newest), changed: isListed ? changed : undefined };
}

/** Ends the life of a process, and forgets those that were killed. */
export async function forgetProcess(sql: Sql, process: string): Promise<void> {
  await sql.query("DELETE FROM serving_processes WHERE process = $1 OR lease_until < now() - interval '1 day'", [
    process,
  ]);
}
