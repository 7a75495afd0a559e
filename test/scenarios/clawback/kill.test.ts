import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect, it } from "vitest";
import { ClawBack, clawBack } from "../../../server/ads/clawbacks/claw-back";
import { EVENTS_PER_BATCH_MAX } from "../../../server/ads/clawbacks/clawback";
import { systemClock } from "../../../server/kernel/clock";
import { uuidv7 } from "../../../server/kernel/ids";
import { adsTest, makeChannel } from "../../factories/ads";
import { openForFile } from "../../factories/open-for-file";
import { testProgram } from "../../factories/test-program";

/** Two full batches and a rest. */
const EVENTS = 2 * EVENTS_PER_BATCH_MAX + 500;

const ads = await openForFile(adsTest());
const program = await testProgram(path.join(import.meta.dirname, "clawing-process.ts"));

/** Charged clicks of one buyer on a channel, as claims would have written them. */
async function chargeClicks(publisherId: string, buyerId: string, channelId: string): Promise<void> {
  const ids = Array.from({ length: EVENTS }, () => uuidv7(Date.now() - 1000));
  await ads.sql.query(
    `INSERT INTO ledger (offer_id, event, at, day, campaign_id, buyer_tenant_id, publisher_tenant_id, channel_id,
       charge_nanos, earning_nanos)
     SELECT id, 'click', now() - interval '1 second', current_date, 'cmp_x', $2, $3, $4, 1001, 700 FROM unnest($1::uuid[]) AS o(id)`,
    [ids, buyerId, publisherId, channelId],
  );
  await ads.sql.query("INSERT INTO campaign_spend VALUES ('cmp_x', current_date, $1)", [1001 * EVENTS]);
  await ads.sql.query("INSERT INTO tenant_balances VALUES ($1, 1000000000, $2)", [buyerId, 1001 * EVENTS]);
}

async function stateOf(publisherId: string, buyerId: string) {
  const { rows } = await ads.sql.query<Record<string, bigint>>(
    `SELECT (SELECT count(*) FROM ledger WHERE charge_nanos < 0) AS reversed,
       (SELECT count(*) FROM outbox WHERE "table" = 'reversals') AS noted,
       (SELECT count(DISTINCT row->>'offer_id') FROM outbox WHERE "table" = 'reversals') AS offers,
       (SELECT nanos FROM campaign_spend WHERE campaign_id = 'cmp_x') AS spend,
       (SELECT spent_nanos FROM tenant_balances WHERE tenant_id = $2) AS prepaid,
       (SELECT earned_nanos - clawed_back_nanos FROM publisher_earnings WHERE tenant_id = $1) AS earned,
       (SELECT count(*) FROM clawbacks WHERE finished_at IS NULL) AS unfinished`,
    [publisherId, buyerId],
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]));
}

it("killed behind each batch a clawback has reversed whole batches, and the next run ends it exactly once", async () => {
  const [publisher, buyer] = [await ads.tenant(), await ads.tenant()];
  const channel = await makeChannel(publisher.key("live"));
  await chargeClicks(publisher.id, buyer.id, channel.id);
  let left = EVENTS;
  for (let kill = 1; kill <= 2; kill++) {
    const child = fork(program, [ads.url, channel.id]);
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    left -= EVENTS_PER_BATCH_MAX;
    const reversed = EVENTS - left;
    expect(await stateOf(publisher.id, buyer.id)).toEqual({
      reversed,
      noted: reversed,
      offers: reversed,
      spend: left * 1001,
      prepaid: left * 1001,
      earned: left * 700,
      unfinished: 1,
    });
  }
  const mail = { send: async () => undefined };
  const ctx = { db: ads.db, sql: ads.sql, clock: systemClock, currency: "USD", mail };
  const input = ClawBack.parse({ channel: channel.id, reason: "Another reason", confirmed: true });
  // Its sums are those of the whole, from before the kills too, and so is its reason.
  expect((await clawBack(ctx, input)).finished).toMatchObject([
    { reason: "A test", events: EVENTS, chargeNanos: BigInt(1001 * EVENTS), earningNanos: BigInt(700 * EVENTS) },
  ]);
  expect(await stateOf(publisher.id, buyer.id)).toEqual({
    reversed: EVENTS,
    noted: EVENTS,
    offers: EVENTS,
    spend: 0,
    prepaid: 0,
    earned: 0,
    unfinished: 0,
  });
  expect(
    await ads.db.auditEntry.count({ where: { action: { in: ["earnings.clawed_back", "charges.reversed"] } } }),
  ).toBe(2);
  expect((await clawBack(ctx, input)).finished).toEqual([]);
}, 300_000);
