import type { Pool } from "pg";
import { LEASE_OWNER, type Lease, LeasedRows } from "../../../engines/postgres/lease";
import type { Json } from "../../../identity/stored-json";
import { IS_ACTIVATED } from "../planes/gate.sql";
import type { StoredResource } from "../records/resource";

/** The process that changes the effect of a resource. The time is that of the database, because effects are outside of it. */
export const RESOURCES = new LeasedRows({
  table: "resources",
  ms: 60_000,
  isOpen: "archived_at IS NULL AND state <> 'placeholder'",
});
/** Claimed resources are due again after so long; a process that dies with them delays them by as much. */
const CLAIM_SECONDS = 60;
/** Wakes that are taken at a time. */
export const WAKES_MAX = 500;

/** When the next step of a resource is due. */
export const NEXT_RESOURCE = `SELECT least((SELECT min(next_at) FROM resources),
  (SELECT to_timestamp(0) FROM resource_wakes LIMIT 1))`;

const COLUMNS = `id, tenant_id AS "tenantId", project_id AS "projectId", mode, plane, service, kind, name,
  created_by AS "createdBy", spec,
  sealed, spec_hash AS "specHash", secret_hashes AS "secretHashes", state, reason, generation,
  observed_generation AS "observedGeneration", observed, observed_at AS "observedAt", failures, next_at AS "nextAt", lease_owner AS "leaseOwner", lease_until AS "leaseUntil",
  lease_fence AS "leaseFence",
  created_at AS "createdAt", updated_at AS "updatedAt", archived_at AS "archivedAt"`;

/** A resource, with whether its service is activated now. */
export type ClaimedResource = StoredResource & { isActive: boolean };

const IS_ACTIVE = `${IS_ACTIVATED} AS "isActive"`;

/**
 * Makes the resources due whose effects depend on something that has changed. Returns whether more of that may have
 * changed.
 */
export async function takeWakes(sql: Pick<Pool, "query">, now: Date): Promise<boolean> {
  const { rows } = await sql.query<{ taken: number }>({
    name: "take_resource_wakes",
    text: `WITH taken AS (
        DELETE FROM resource_wakes WHERE id IN (
          SELECT id FROM resource_wakes ORDER BY id LIMIT ${WAKES_MAX} FOR UPDATE SKIP LOCKED
        ) RETURNING resource_id
      ), woken AS (
        UPDATE resources SET next_at = $1 WHERE id IN (SELECT resource_id FROM taken) AND archived_at IS NULL
          AND state NOT IN ('placeholder', 'suspended') AND (next_at IS NULL OR next_at > $1)
      )
      SELECT count(*)::int AS taken FROM taken`,
    values: [now],
  });
  return rows[0]?.taken === WAKES_MAX;
}

/** Takes up to `limit` resources that are due. Their next step is postponed, so that no other process takes them too. */
export async function claimDueResources(
  sql: Pick<Pool, "query">,
  { now, limit }: { now: Date; limit: number },
): Promise<ClaimedResource[]> {
  const { rows } = await sql.query<ClaimedResource>({
    name: "claim_due_resources",
    text: `WITH due AS (
        SELECT id FROM resources WHERE next_at <= $1 ORDER BY next_at LIMIT $2 FOR UPDATE SKIP LOCKED
      ), r AS (
        UPDATE resources SET next_at = $1::timestamptz + make_interval(secs => ${CLAIM_SECONDS}) FROM due
        WHERE resources.id = due.id RETURNING resources.*
      )
      SELECT ${COLUMNS}, ${IS_ACTIVE} FROM r`,
    values: [now, limit],
  });
  return rows;
}

/** Leases a resource, so that one process at a time changes its effect; undefined if another one has it. */
export async function leaseResource(
  sql: Pick<Pool, "query">,
  id: string,
): Promise<{ row: ClaimedResource; lease: Lease } | undefined> {
  const { rows } = await sql.query<ClaimedResource>(
    `WITH r AS (
       UPDATE resources SET ${RESOURCES.taking({ owner: "$2", now: "now()" })}
       WHERE id = $1 AND ${RESOURCES.isFree("now()")}
       RETURNING *
     )
     SELECT ${COLUMNS}, ${IS_ACTIVE} FROM r`,
    [id, LEASE_OWNER],
  );
  const [row] = rows;
  return row && { row, lease: { id, owner: LEASE_OWNER, fence: row.leaseFence } };
}

/** Extends the lease of a step that still runs. Returns whether it is still leased. */
export const extendLease = (sql: Pick<Pool, "query">, lease: Lease): Promise<boolean> =>
  RESOURCES.extend(sql, lease, { now: null });

/** Ends a lease, and makes the resource due. */
export const endLease = (sql: Pick<Pool, "query">, lease: Lease, now: Date): Promise<void> =>
  RESOURCES.release(sql, lease, { set: { next_at: now } });

/** Resources that are as they should be, as they were when they were looked at. */
export interface LookedAt {
  row: ClaimedResource;
  /** What was seen of its effect; null: the same as before. */
  observed: Json | null;
}

/** Records what was seen of resources at rest whose state stays, and that nothing of them is due. */
export async function recordLooks(
  sql: Pick<Pool, "query">,
  { looks, now }: { looks: readonly LookedAt[]; now: Date },
): Promise<void> {
  await sql.query(
    `UPDATE resources r SET observed = coalesce(s.observed, r.observed), next_at = NULL,
       observed_at = CASE WHEN s.observed IS NULL THEN r.observed_at ELSE $6 END
     FROM unnest($1::text[], $2::text[], $3::int[], $4::timestamptz[], $5::text[]::jsonb[])
       AS s (id, state, generation, next_at, observed)
     WHERE r.id = s.id AND r.state = s.state AND r.generation = s.generation
       AND r.next_at IS NOT DISTINCT FROM s.next_at AND (r.lease_until IS NULL OR r.lease_until < now())`,
    [
      looks.map(({ row }) => row.id),
      looks.map(({ row }) => row.state),
      looks.map(({ row }) => row.generation),
      looks.map(({ row }) => row.nextAt),
      looks.map(({ observed }) => observed && JSON.stringify(observed)),
      now,
    ],
  );
}

/** A kind of resource, as in its rows. */
export interface KindName {
  plane: string;
  service: string;
  kind: string;
}

const AT_REST = "next_at IS NULL AND archived_at IS NULL AND state IN ('ready', 'degraded', 'failed')";

/**
 * Claims the looks at kinds that are due, until the next one of each. Returns the kinds that this process has claimed and
 * that have resources at rest.
 */
export async function claimLooks(
  sql: Pick<Pool, "query">,
  { kinds, now }: { kinds: readonly (KindName & { nextAt: Date })[]; now: Date },
): Promise<KindName[]> {
  const { rows } = await sql.query<KindName>({
    name: "claim_resource_looks",
    text: `WITH claimed AS (
        INSERT INTO resource_looks (plane, service, kind, due_at)
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
        ON CONFLICT (plane, service, kind) DO UPDATE SET due_at = EXCLUDED.due_at WHERE resource_looks.due_at <= $5
        RETURNING plane, service, kind
      )
      SELECT plane, service, kind FROM claimed c WHERE EXISTS (
        SELECT FROM resources r
        WHERE r.plane = c.plane AND r.service = c.service AND r.kind = c.kind AND ${AT_REST}
      )`,
    values: [
      kinds.map(({ plane }) => plane),
      kinds.map(({ service }) => service),
      kinds.map(({ kind }) => kind),
      kinds.map(({ nextAt }) => nextAt),
      now,
    ],
  });
  return rows;
}

/** Resources of a kind that are at rest in some states, by id, after `afterId`. */
export async function readAtRest(
  sql: Pick<Pool, "query">,
  { plane, service, kind, states, afterId, limit }: KindName & { states: string[]; afterId: string; limit: number },
): Promise<ClaimedResource[]> {
  const { rows } = await sql.query<ClaimedResource>({
    name: "read_resources_at_rest",
    text: `SELECT ${COLUMNS}, ${IS_ACTIVE} FROM resources r
      WHERE plane = $1 AND service = $2 AND kind = $3 AND id > $4 AND ${AT_REST} AND state = ANY($6)
      ORDER BY id LIMIT $5`,
    values: [plane, service, kind, afterId, limit, states],
  });
  return rows;
}
