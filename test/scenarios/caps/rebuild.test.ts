import { expect, it } from "vitest";
import { MemoryCounters } from "../../../server/engines/counters/memory-counters";
import { ManualClock } from "../../../server/kernel/clock";
import { uuidv7 } from "../../../server/kernel/ids";
import { openForFile } from "../../factories/open-for-file";
import { candidatesOf, capsWorld, DAY_SECONDS, type Server, startCounting } from "./caps-world";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const clock = new ManualClock(new Date());
const world = await openForFile(capsWorld(clock));

/** A server whose counts are those of a process that has just begun. */
async function startServer(): Promise<Server> {
  const server = world.server(new MemoryCounters(clock));
  await startCounting(server);
  return server;
}

it("keeps seen offers for their whole windows and unseen ones for what is left of their two hours", async () => {
  const candidates = candidatesOf([`3/${DAY_SECONDS}`]);
  const before = await startServer();
  for (let i = 0; i < 3; i++) {
    const [record] = await before.serve("ada", candidates);
    if (record && i < 2) await before.see(record);
  }
  expect(await before.serve("ada", candidates)).toEqual([]);
  clock.advance(HOUR_MS);
  const after = await startServer();
  expect(await after.serve("ada", candidates)).toEqual([]);
  expect(await after.serve("bob", candidates)).toHaveLength(1);
  clock.advance(HOUR_MS + MINUTE_MS - 1);
  expect(await (await startServer()).serve("ada", candidates)).toEqual([]);
  clock.advance(1);
  const later = await startServer();
  expect(await later.serve("ada", candidates)).toHaveLength(1);
  expect(await later.serve("ada", candidates)).toEqual([]);
});

it("puts nothing back whose window has passed, of several windows only those that last", async () => {
  const caps = [`1/60`, `9/3600`, `2/${DAY_SECONDS}/advertiser`];
  const candidates = candidatesOf(caps);
  const before = await startServer();
  const [record] = await before.serve("cyd", candidates);
  if (!record) throw new Error("nothing was served");
  await before.see(record);
  clock.advance(HOUR_MS);
  const after = await startServer();
  // The minute and the hour are over: one place of the day is taken.
  expect(await after.serve("cyd", candidates)).toHaveLength(1);
  clock.advance(MINUTE_MS);
  expect(await after.serve("cyd", candidates)).toEqual([]);
});

it("counts an impression that is reported while the counts are put back", async () => {
  const candidates = candidatesOf([`1/${DAY_SECONDS}`]);
  const before = await startServer();
  const [record] = await before.serve("dee", candidates);
  if (!record) throw new Error("nothing was served");
  const after = world.server(new MemoryCounters(clock));
  await Promise.all([after.counts.start(), after.see(record)]);
  clock.advance(3 * HOUR_MS);
  expect(await after.serve("dee", candidates)).toEqual([]);
});

it("serves what has no caps, and nothing capped, until counts are put back", async () => {
  const candidates = candidatesOf([`5/${DAY_SECONDS}`], []);
  const server = world.server(new MemoryCounters(clock));
  expect((await server.serve("eve", candidates, 2)).map(({ campaignId }) => campaignId)).toEqual(["campaign-1"]);
  await startCounting(server);
  expect((await server.serve("eve", candidates, 2)).map(({ campaignId }) => campaignId)).toEqual([
    "campaign-0",
    "campaign-1",
  ]);
});

it("writes an event for what caps count, and none for an offer without caps or whose window is over", async () => {
  const server = await startServer();
  const served = await server.serve("fay", candidatesOf([`5/${DAY_SECONDS}`, "5/60"], ["5/60"], []), 3);
  clock.advance(MINUTE_MS);
  for (const record of served) await Promise.all([server.see(record), server.see(record)]);
  const { rows } = await world.sql.query(
    "SELECT id::text, user_key, at, ends_at, windows FROM cap_events WHERE user_key = 'fay'",
  );
  const at = clock.now().getTime() - MINUTE_MS;
  expect(rows).toEqual([
    {
      id: served[0]?.id,
      user_key: "fay",
      at: new Date(at),
      ends_at: new Date(at + DAY_SECONDS * 1000),
      windows: [
        { key: `campaign:campaign-0:${DAY_SECONDS}`, windowMs: DAY_SECONDS * 1000 },
        { key: "campaign:campaign-0:60", windowMs: MINUTE_MS },
      ],
    },
  ]);
});

it("puts 5,000 events of one moment back, page by page, and as many held places", async () => {
  const at = clock.now();
  const windows = JSON.stringify([{ key: `campaign:campaign-0:${DAY_SECONDS}`, windowMs: DAY_SECONDS * 1000 }]);
  const ids = Array.from({ length: 5000 }, () => uuidv7(at.getTime()));
  await world.sql.query(
    `INSERT INTO cap_events (id, user_key, at, ends_at, windows)
     SELECT id, 'seen-' || place % 2500, $2, $2::timestamptz + interval '1 day', $3::jsonb
     FROM unnest($1::uuid[]) WITH ORDINALITY AS e(id, place)`,
    [ids, at, windows],
  );
  await world.sql.query(
    `INSERT INTO offers (id, request_id, tenant_id, channel_id, mode, buyer_tenant_id, advertiser_id, campaign_id, model,
       price_nanos, landing_url, caps)
     SELECT id, id, 'ten', 'chn', 'live', 'ten', 'adv', 'cmp', 'cpc', 0, 'https://shop.example',
       jsonb_build_object('user', 'held-' || place % 2500, 'reservedAtMs', $2::bigint, 'windows', $3::jsonb)
     FROM unnest($1::uuid[]) WITH ORDINALITY AS o(id, place)`,
    [ids, at.getTime(), windows],
  );
  const server = world.server(new MemoryCounters(clock));
  await startCounting(server);
  const two = candidatesOf([`2/${DAY_SECONDS}`]);
  const three = candidatesOf([`3/${DAY_SECONDS}`]);
  for (let i = 0; i < 2500; i += 100) {
    for (const user of [`seen-${i}`, `held-${i}`]) {
      expect([await server.serve(user, two), (await server.serve(user, three)).length]).toEqual([[], 1]);
    }
  }
});
