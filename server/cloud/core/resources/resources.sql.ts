import type { Pool } from "pg";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { LEASE_OWNER, type Lease, LeasedRows } from "../../../engines/postgres/lease";
import type { Json } from "../../../identity/stored-json";
import type { StoredResource } from "./resource";

/** The process that changes the effect of a resource. The time is that of the database, because effects are outside of it. */
export const RESOURCES = new LeasedRows({
  table: "resources",
  ms: 60_000,
  isOpen: "archived_at IS NULL AND state <> 'placeholder'",
});
/** Claimed resources are due again after so long; a process that dies with them delays them by as much. */
const CLAIM_SECONDS = 60;
/** Resources that are as they should be are looked at up to so much earlier, together with those that are due. */
const LOOK_AHEAD_SECONDS = 1;

/** When the next resource is due. */
export const NEXT_RESOURCE = "SELECT min(next_at) FROM resources";

const COLUMNS = `id, tenant_id AS "tenantId", project_id AS "projectId", mode, plane, service, kind, name,
  created_by AS "createdBy", spec,
  spec_hash AS "specHash", secret_hashes AS "secretHashes", state, reason, generation,
  observed_generation AS "observedGeneration", observed, observed_at AS "observedAt", failures, next_at AS "nextAt", lease_owner AS "leaseOwner", lease_until AS "leaseUntil",
  lease_fence AS "leaseFence",
  created_at AS "createdAt", updated_at AS "updatedAt", archived_at AS "archivedAt"`;

/** A resource, with whether its service is activated now. */
export type ClaimedResource = StoredResource & { isActive: boolean };

const IS_ACTIVE = `EXISTS (SELECT FROM activations a WHERE a.tenant_id = r.tenant_id AND a.mode = r.mode
  AND a.plane = r.plane AND a.service = r.service AND a.ended_at IS NULL) AS "isActive"`;

/** Takes up to `limit` resources that are due. Their next look is postponed, so that no other process takes them too. */
export async function claimDueResources(
  sql: Pick<Pool, "query">,
  { now, limit }: { now: Date; limit: number },
): Promise<ClaimedResource[]> {
  const { rows } = await sql.query<ClaimedResource>({
    name: "claim_due_resources",
    text: `WITH due AS (
        SELECT id FROM resources WHERE next_at <= $1::timestamptz + make_interval(secs => ${LOOK_AHEAD_SECONDS})
          AND (next_at <= $1 OR (state = 'ready' AND generation = observed_generation AND failures = 0))
        ORDER BY next_at LIMIT $2 FOR UPDATE SKIP LOCKED
      ), r AS (
        UPDATE resources SET next_at = $1 + make_interval(secs => ${CLAIM_SECONDS}) FROM due
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

interface SeenResources {
  /** What was seen of each effect that is as it should be, by the id of the resource. */
  seen: ReadonlyMap<string, Json>;
  now: Date;
}

/** Records what was seen of resources that stay ready. The claim has set when they are due again. */
export async function recordSeen(sql: Pick<Pool, "query">, { seen, now }: SeenResources): Promise<void> {
  await sql.query(
    `UPDATE resources r SET observed = s.observed, observed_at = $3
     FROM unnest($1::text[], $2::text[]::jsonb[]) AS s (id, observed)
     WHERE r.id = s.id AND r.state = 'ready' AND (r.lease_until IS NULL OR r.lease_until < now())`,
    [[...seen.keys()], [...seen.values()].map((one) => JSON.stringify(one)), now],
  );
}

/** Makes the resources of a service due, in the transaction that changes its activation. */
export async function wakeService(
  tx: Prisma.TransactionClient,
  {
    tenantId,
    mode,
    plane,
    service,
    now,
  }: { tenantId: string; mode: string; plane: string; service: string; now: Date },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE resources SET next_at = ${now}
    WHERE tenant_id = ${tenantId} AND mode = ${mode}::"Mode" AND plane = ${plane} AND service = ${service}
      AND archived_at IS NULL AND state <> 'placeholder'`;
}
