import type { Pool } from "pg";
import type { Prisma } from "../../engines/postgres/generated/client";
import type { LastFetch, LastImport } from "./feed-schedule";
import { FAILURES_MAX } from "./fetch-times";

const DUE_PER_TENANT_MAX = 5;
const DUE_MAX = 100;

/** Serializes changes of a campaign's schedule within transactions, also of one that does not exist yet. */
export async function lockSchedule(tx: Prisma.TransactionClient, campaignId: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM campaigns WHERE id = ${campaignId} FOR NO KEY UPDATE`;
}

export interface DueFeed {
  campaignId: string;
  tenantId: string;
}

/** The schedules that are due, running ones included, the longest waiting first; a few per tenant. */
export async function dueFeeds(sql: Pool, now: Date): Promise<DueFeed[]> {
  const { rows } = await sql.query<DueFeed>(
    `SELECT "campaignId", "tenantId" FROM (
       SELECT f.campaign_id AS "campaignId", c.tenant_id AS "tenantId", f.next_fetch_at,
         row_number() OVER (PARTITION BY c.tenant_id ORDER BY f.next_fetch_at, f.campaign_id) AS place
       FROM feed_schedules f JOIN campaigns c ON c.id = f.campaign_id
       WHERE f.next_fetch_at <= $1 AND f.paused_at IS NULL AND c.archived_at IS NULL AND c.status <> 'ended'
     ) due WHERE place <= ${DUE_PER_TENANT_MAX} ORDER BY next_fetch_at LIMIT ${DUE_MAX}`,
    [now],
  );
  return rows;
}

/** When the next feed is due; a time in the past while fetches run, whose schedules are then looked at each second. */
export const NEXT_FEED = `SELECT f.next_fetch_at FROM feed_schedules f JOIN campaigns c ON c.id = f.campaign_id
  WHERE f.paused_at IS NULL AND c.archived_at IS NULL AND c.status <> 'ended' ORDER BY f.next_fetch_at LIMIT 1`;

export interface ClaimedFeed {
  campaignId: string;
  claim: string;
  url: string;
  intervalHours: number;
  removeMissing: boolean;
  username: string | null;
  sealedPassword: string | null;
  etag: string | null;
  lastModified: string | null;
  /** Consecutive failures, including a last fetch whose process was killed. */
  failures: number;
  wasKilled: boolean;
}

/** Marks a due schedule as running; undefined if it is no longer due. Only the holder of the import slot may call it. */
export async function claimFeed(
  sql: Pool,
  { campaignId, claim, now }: { campaignId: string; claim: string; now: Date },
): Promise<ClaimedFeed | undefined> {
  const { rows } = await sql.query<ClaimedFeed>(
    `UPDATE feed_schedules f SET started_at = $3, claim = $2, failures = f.failures + (before.claim IS NOT NULL)::int
     FROM (SELECT claim FROM feed_schedules WHERE campaign_id = $1 FOR UPDATE) before
     WHERE campaign_id = $1 AND next_fetch_at <= $3 AND paused_at IS NULL
     RETURNING campaign_id AS "campaignId", f.claim, url, interval_hours AS "intervalHours",
       remove_missing AS "removeMissing", username, sealed_password AS "sealedPassword", etag,
       last_modified AS "lastModified", failures, before.claim IS NOT NULL AS "wasKilled"`,
    [campaignId, claim, now],
  );
  return rows[0];
}

type Claim = Pick<ClaimedFeed, "campaignId" | "claim">;

/** The claims of these that no longer hold, because the schedule was changed, deleted or claimed again. */
export async function lostClaims(sql: Pool, claims: readonly Claim[]): Promise<Set<string>> {
  const lost = new Set(claims.map(({ claim }) => claim));
  if (lost.size === 0) return lost;
  const { rows } = await sql.query<{ claim: string }>(
    "SELECT f.claim FROM feed_schedules f JOIN campaigns c ON c.id = f.campaign_id WHERE f.campaign_id = ANY($1) AND f.claim = ANY($2) AND c.archived_at IS NULL",
    [claims.map(({ campaignId }) => campaignId), [...lost]],
  );
  for (const { claim } of rows) lost.delete(claim);
  return lost;
}

/** Ends a fetch without a result: it stays due. */
export async function releaseClaim(sql: Pool, { campaignId, claim }: Claim): Promise<void> {
  await sql.query("UPDATE feed_schedules SET claim = NULL WHERE campaign_id = $1 AND claim = $2", [campaignId, claim]);
}

export interface FetchEnd {
  now: Date;
  nextFetchAt: Date;
  failures: number;
  lastFetch: LastFetch;
  /** undefined: nothing was read, so the previous one stays. */
  lastImport: LastImport | undefined;
  /** undefined: the previous ones stay. */
  validators: { etag: string | null; lastModified: string | null } | undefined;
}

/** Stores the result of a fetch, unless its claim no longer holds. */
export async function endFetch(sql: Pool, { campaignId, claim }: Claim, end: FetchEnd): Promise<void> {
  const { now, nextFetchAt, failures, lastFetch, lastImport, validators } = end;
  await sql.query(
    `UPDATE feed_schedules SET claim = NULL, next_fetch_at = $3, failures = $4, last_fetch = $5,
       paused_at = CASE WHEN $4 >= ${FAILURES_MAX} THEN $6::timestamptz END,
       last_import = coalesce($7::json, last_import),
       etag = CASE WHEN $8 THEN $9 ELSE etag END, last_modified = CASE WHEN $8 THEN $10 ELSE last_modified END
     WHERE campaign_id = $1 AND claim = $2`,
    [
      campaignId,
      claim,
      nextFetchAt,
      failures,
      JSON.stringify(lastFetch),
      now,
      lastImport === undefined ? null : JSON.stringify(lastImport),
      validators !== undefined,
      validators?.etag ?? null,
      validators?.lastModified ?? null,
    ],
  );
}

/** The number of products of a campaign that are not archived. */
export async function countLive(sql: Pool, campaignId: string): Promise<number> {
  const query = "SELECT count(*)::int AS live FROM products WHERE campaign_id = $1 AND archived_at IS NULL";
  const { rows } = await sql.query<{ live: number }>(query, [campaignId]);
  return rows[0]?.live ?? 0;
}
