import type { Pool } from "pg";
import type { Prisma } from "../../engines/postgres/generated/client";
import type { Clawback, ClawbackTerms } from "./clawback";

const COLUMNS = `id, channel_id AS "channelId", publisher_tenant_id AS "publisherTenantId", from_at AS "from", to_at AS "to",
  offer_ids::text[] AS "offerIds", reason`;

/** Returns the channel's unfinished clawback, if there is one. */
export async function unfinishedClawback(sql: Pick<Pool, "query">, channelId: string): Promise<Clawback | undefined> {
  const { rows } = await sql.query<Clawback>(
    `SELECT ${COLUMNS} FROM clawbacks WHERE channel_id = $1 AND finished_at IS NULL`,
    [channelId],
  );
  return rows[0];
}

/** Begins a clawback, unless one is in progress for the channel, and returns the one in progress. */
export async function beginClawback(
  sql: Pick<Pool, "query">,
  { id, reason, ...terms }: ClawbackTerms & { id: string; reason: string },
  at: Date,
): Promise<Clawback | undefined> {
  await sql.query(
    `INSERT INTO clawbacks (id, channel_id, publisher_tenant_id, from_at, to_at, offer_ids, reason, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
    [id, terms.channelId, terms.publisherTenantId, terms.from, terms.to, terms.offerIds, reason, at],
  );
  return unfinishedClawback(sql, terms.channelId);
}

/** Returns true for the one caller that marks it as finished. */
export async function markFinished(tx: Prisma.TransactionClient, id: string, at: Date): Promise<boolean> {
  const marked = await tx.$executeRaw`
    UPDATE clawbacks SET finished_at = ${at} WHERE id = ${id} AND finished_at IS NULL`;
  return marked === 1;
}

/** What a clawback reversed for one campaign, in positive nanos. */
export interface CampaignSum {
  campaignId: string;
  buyerTenantId: string;
  events: bigint;
  chargeNanos: bigint;
  earningNanos: bigint;
}

export async function sumsOf(tx: Pick<Prisma.TransactionClient, "$queryRaw">, id: string): Promise<CampaignSum[]> {
  return tx.$queryRaw<CampaignSum[]>`
    SELECT campaign_id AS "campaignId", buyer_tenant_id AS "buyerTenantId", events, -charge_nanos AS "chargeNanos",
      -earning_nanos AS "earningNanos"
    FROM clawback_sums WHERE clawback_id = ${id} ORDER BY buyer_tenant_id, campaign_id`;
}
