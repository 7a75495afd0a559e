import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../engines/postgres/in-transaction";
import type { Clawback } from "./clawback";
import type { ReversibleEvent } from "./reversible.sql";

/**
 * Reverses a batch in one statement. The ledger's primary key makes each reversal unique; only new reversals update the
 * spend of campaigns and prepaid balances, the rows for ClickHouse and the clawback's sums. The ledger's trigger
 * updates publishers' earnings. A charge without a channel predates prepaid balances, so it was not debited from one.
 */
const REVERSE = `
  WITH picked AS MATERIALIZED (
    SELECT l.offer_id, l.event, l.at, l.day, l.campaign_id, l.buyer_tenant_id, l.publisher_tenant_id, l.channel_id,
      l.charge_nanos, l.earning_nanos, o.advertiser_id, o.creative_id, o.product_id, o.placement, o.geo, o.device, o.locale
    FROM unnest($1::uuid[], $2::text[]) AS k(offer_id, event) JOIN ledger l USING (offer_id, event)
    LEFT JOIN offers o ON o.id = l.offer_id AND o.id >= $3::uuid AND o.id <= $4::uuid
  ), reversed AS (
    INSERT INTO ledger (offer_id, event, at, day, campaign_id, buyer_tenant_id, publisher_tenant_id, channel_id,
      charge_nanos, earning_nanos)
    SELECT offer_id, event || '_reversal', at, day, campaign_id, buyer_tenant_id, publisher_tenant_id, $6, -charge_nanos,
      -earning_nanos
    FROM picked ORDER BY offer_id, event
    ON CONFLICT DO NOTHING
    RETURNING offer_id, event, campaign_id, day, buyer_tenant_id, charge_nanos, earning_nanos
  ), noted AS (
    INSERT INTO outbox ("table", row)
    SELECT 'reversals', jsonb_build_object(
      'at', to_char(p.at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'), 'event', p.event, 'offer_id', p.offer_id,
      'clawback_id', $5::text, 'tenant_id', p.publisher_tenant_id, 'channel_id', $6::text, 'mode', 'live',
      'buyer_tenant_id', p.buyer_tenant_id, 'advertiser_id', coalesce(p.advertiser_id, ''), 'campaign_id', p.campaign_id,
      'creative_id', coalesce(p.creative_id, ''), 'product_id', coalesce(p.product_id, ''),
      'placement', coalesce(p.placement, ''), 'geo', coalesce(p.geo, ''), 'device', coalesce(p.device, ''),
      'locale', coalesce(p.locale, ''), 'charge_nanos', r.charge_nanos, 'earning_nanos', r.earning_nanos)
    FROM picked p JOIN reversed r ON r.offer_id = p.offer_id AND r.event = p.event || '_reversal'
  ), spent AS (
    INSERT INTO campaign_spend AS s (campaign_id, day, nanos)
    SELECT campaign_id, day, sum(charge_nanos) FROM reversed GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (campaign_id, day) DO UPDATE SET nanos = s.nanos + excluded.nanos
  ), prepaid AS (
    UPDATE tenant_balances b SET spent_nanos = b.spent_nanos + given.nanos
    FROM (
      SELECT r.buyer_tenant_id, sum(r.charge_nanos) AS nanos
      FROM reversed r JOIN picked p ON p.offer_id = r.offer_id AND r.event = p.event || '_reversal'
      WHERE p.channel_id <> '' GROUP BY 1
    ) given
    WHERE b.tenant_id = given.buyer_tenant_id
  ), summed AS (
    INSERT INTO clawback_sums AS s (clawback_id, campaign_id, buyer_tenant_id, events, charge_nanos, earning_nanos)
    SELECT $5, campaign_id, buyer_tenant_id, count(*), sum(charge_nanos), sum(earning_nanos) FROM reversed GROUP BY 2, 3
    ON CONFLICT (clawback_id, campaign_id) DO UPDATE SET
      events = s.events + excluded.events,
      charge_nanos = s.charge_nanos + excluded.charge_nanos,
      earning_nanos = s.earning_nanos + excluded.earning_nanos
  )
  SELECT count(*)::int AS reversed FROM reversed`;

/**
 * Reverses events in one transaction; events that were already reversed are skipped. Does nothing if this or another
 * process has finished the clawback.
 */
export async function reverseEvents(sql: Pool, clawback: Clawback, events: readonly ReversibleEvent[]): Promise<void> {
  await inTransaction(sql, async (client) => {
    if (await lockClawback(client, clawback, events)) await client.query(REVERSE, valuesOf(clawback, events));
  });
}

/** Locks balances before spend, each in id order like claims do, so that neither can deadlock. */
async function lockClawback(
  client: PoolClient,
  { id }: Clawback,
  events: readonly ReversibleEvent[],
): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM clawbacks WHERE id = $1 AND finished_at IS NULL FOR UPDATE", [
    id,
  ]);
  const buyers = [...new Set(events.map(({ buyerTenantId }) => buyerTenantId))];
  await client.query("SELECT FROM tenant_balances WHERE tenant_id = ANY ($1::text[]) ORDER BY tenant_id FOR UPDATE", [
    buyers,
  ]);
  return rowCount === 1;
}

/** The time range limits the scan to the partitions of these offers; the events are in offer order. */
const valuesOf = ({ id, channelId }: Clawback, events: readonly ReversibleEvent[]): unknown[] => [
  events.map(({ offerId }) => offerId),
  events.map(({ event }) => event),
  events[0]?.offerId,
  events.at(-1)?.offerId,
  id,
  channelId,
];
