import { Prisma } from "../../../engines/postgres/generated/client";
import { LEASE_OWNER } from "../../../engines/postgres/lease";
import { ServiceError } from "../../../kernel/errors";
import { CLAIM_COLUMNS, type Claim, type ClaimRow, claimOf, DELIVERIES, RETRIES } from "./claim";
import { retriedUntil } from "./deliveries.sql";

/**
 * Claims a delivery for an attempt now, with all retries; only the result of this attempt counts. Throws `conflict`
 * while an attempt is under way.
 */
export async function claimAgain(tx: Prisma.TransactionClient, { id, now }: { id: string; now: Date }): Promise<Claim> {
  const [row] = await tx.$queryRaw<ClaimRow[]>`
    UPDATE webhook_deliveries d
    SET ${claiming(now)}, status = 'pending', retries_left = ${RETRIES}, finished_at = NULL
    FROM webhooks w, events e
    WHERE d.id = ${id} AND w.id = d.webhook_id AND e.id = d.event_id
      AND (d.lease_owner IS NULL OR d.status <> 'pending' OR d.next_attempt_at <= ${now})
    RETURNING ${Prisma.raw(CLAIM_COLUMNS)}`;
  if (!row) throw underWay();
  return claimOf(row);
}

/** Claims the delivery of a test, which this transaction has created. */
export async function claimNew(tx: Prisma.TransactionClient, { id, now }: { id: string; now: Date }): Promise<Claim> {
  const [row] = await tx.$queryRaw<ClaimRow[]>`
    UPDATE webhook_deliveries d SET ${claiming(now)} FROM webhooks w, events e
    WHERE d.id = ${id} AND w.id = d.webhook_id AND e.id = d.event_id
    RETURNING ${Prisma.raw(CLAIM_COLUMNS)}`;
  if (!row) throw new Error(`The delivery ${id} was not created.`);
  return claimOf(row);
}

function claiming(now: Date): Prisma.Sql {
  const parts = DELIVERIES.taking({ owner: "?", now: "?", alias: "d" }).split("?");
  return Prisma.sql`${Prisma.sql(parts, LEASE_OWNER, now)}, retry_until = ${retriedUntil(now)}`;
}

const underWay = (): ServiceError =>
  new ServiceError("conflict", "An attempt of this delivery is under way; wait for its result.", {
    details: { reason: "attempt_under_way" },
  });
