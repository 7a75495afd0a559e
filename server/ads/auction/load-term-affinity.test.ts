import { beforeEach, describe, expect, it } from "vitest";
import { testClickHouse } from "../../../test/factories/clickhouse";
import { openForFile } from "../../../test/factories/open-for-file";
import { uuidv7 } from "../../kernel/ids";
import { clickhouseTime } from "../events/fact-rows";
import { type LoggedOffer, simulateClicks } from "./click-log.fixture";
import { termAffinityReader } from "./load-term-affinity";
import { termCountsIn } from "./term-counts.sql";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date("2026-11-20T12:30:00Z");

const clickhouse = await openForFile(testClickHouse());
beforeEach(async () => {
  for (const table of ["offers", "impressions", "clicks", "reversals"]) {
    await clickhouse.client.command({ query: `TRUNCATE TABLE ${table}` });
  }
});

interface Logged extends Partial<LoggedOffer> {
  /** When it was served, and seen a minute later. */
  atMs?: number;
  /** Columns of its row in `offers`. */
  fields?: Record<string, unknown>;
  /** Why its impression and click do not count. */
  traffic?: string;
  isSeen?: boolean;
}

const insert = (table: string, values: object[]) => clickhouse.client.insert({ table, values, format: "JSONEachRow" });

/** Stores offers and what followed; returns their ids. */
async function store(logged: readonly Logged[]): Promise<string[]> {
  const rows = logged.map(({ atMs = NOW.getTime() - 2 * 60_000, channelId = "chn_a", itemId = "crv_1", ...offer }) => {
    const { term = "boots", position = 0, isClicked = false, isSeen = true, traffic = "", fields = {} } = offer;
    const common = { offer_id: uuidv7(atMs), channel_id: channelId, mode: "live", campaign_id: "cmp_1" };
    const event = { ...common, at: clickhouseTime(atMs + 60_000), served_at: clickhouseTime(atMs), traffic };
    const served = { ...common, at: clickhouseTime(atMs), creative_id: itemId, model: "cpc", position, terms: [term] };
    return { offer: { ...served, ...fields }, event, isClicked, isSeen };
  });
  await insert(
    "offers",
    rows.map(({ offer }) => offer),
  );
  await insert(
    "impressions",
    rows.filter(({ isSeen }) => isSeen).map(({ event }) => event),
  );
  await insert(
    "clicks",
    rows.filter(({ isClicked }) => isClicked).map(({ event }) => event),
  );
  return rows.map(({ offer }) => offer.offer_id);
}

const times = (count: number, clicks: number, offer: Logged = {}): Logged[] =>
  Array.from({ length: count }, (_, i) => ({ ...offer, isClicked: i < clicks }));

const countsIn = (span = { fromMs: NOW.getTime() - HOUR_MS, toMs: Number.POSITIVE_INFINITY }) =>
  termCountsIn(clickhouse.client, { span, halfLifeMs: Number.POSITIVE_INFINITY });

const boots = async (now = NOW) =>
  (await termAffinityReader(clickhouse.client)(now)).forRequest("chn_a", ["boots"])?.of("crv_1") ?? 1;

describe("a simulated click log", () => {
  const log = simulateClicks({ seed: 7, requests: 3000 });
  const pairs = log.channels.flatMap((channel) =>
    log.items.flatMap((item) => log.terms.map((term) => ({ channel, item, term }))),
  );
  const learned = async () => {
    const affinity = await termAffinityReader(clickhouse.client)(NOW);
    return pairs.map(({ channel, item, term }) => affinity.forRequest(channel, [term])?.of(item) ?? 1);
  };

  it("gives the same affinities with reports of bots, however many, as without", async () => {
    await store(log.offers);
    const people = await learned();
    expect(Math.max(...people)).toBeGreaterThan(1.3);
    // A fifth of all events, each a click on the same item, and others on offers that people saw too.
    await store(times(log.offers.length / 5, log.offers.length, { itemId: "crv_3", term: "word3", traffic: "bot" }));
    const rows = await clickhouse.client.query({
      query: "SELECT *, 'bot' AS traffic FROM (SELECT * EXCEPT (traffic) FROM impressions LIMIT 2000)",
      format: "JSONEachRow",
    });
    await insert(
      "clicks",
      (await rows.json<Record<string, unknown>>()).map(({ reported_by, ...row }) => row),
    );
    expect(await learned()).toEqual(people);
  });

  it("is read as it happened", async () => {
    await store(log.offers);
    const rows = await countsIn();
    for (const { channel, item, term } of pairs.slice(0, 20)) {
      const shown = log.offers.filter((one) => one.channelId === channel && one.itemId === item && one.term === term);
      const row = rows.find((one) => one.channelId === channel && one.itemId === item && one.term === term);
      const byPosition = (offers: LoggedOffer[]) =>
        Array.from({ length: 8 }, (_, at) => offers.filter(({ position }) => position === at).length);
      expect(row?.impressions ?? Array(8).fill(0)).toEqual(byPosition(shown));
      expect(row?.clicks ?? Array(8).fill(0)).toEqual(byPosition(shown.filter(({ isClicked }) => isClicked)));
    }
  });
});

it("counts clicks by word, per channel and overall, beside the sum of the creative", async () => {
  await store([
    ...times(3, 1, { fields: { terms: ["red", "boots"] } }),
    ...times(2, 0, { channelId: "chn_b", position: 2 }),
    ...times(1, 1, { isSeen: false }),
  ]);
  const rows = (await countsIn()).map(({ channelId, baseId, itemId, term, impressions, clicks }) => {
    expect(baseId).toBe("crv_1");
    return [channelId, itemId, term, impressions.slice(0, 3).join(), clicks.slice(0, 3).join()];
  });
  expect(rows.sort()).toEqual([
    ["", "", "", "4,0,2", "2,0,0"],
    ["", "crv_1", "boots", "4,0,2", "2,0,0"],
    ["", "crv_1", "red", "3,0,0", "1,0,0"],
    ["chn_a", "", "", "4,0,0", "2,0,0"],
    ["chn_a", "crv_1", "boots", "4,0,0", "2,0,0"],
    ["chn_a", "crv_1", "red", "3,0,0", "1,0,0"],
    ["chn_b", "", "", "0,0,2", "0,0,0"],
    ["chn_b", "crv_1", "boots", "0,0,2", "0,0,0"],
  ]);
});

it("compares a product with the products of its campaign, which share a click rate", async () => {
  const product = (product_id: string) => ({ fields: { creative_id: "", product_id } });
  await store([...times(40, 20, product("prd_1")), ...times(40, 0, product("prd_2"))]);
  expect([...new Set((await countsIn()).map(({ baseId }) => baseId))]).toEqual(["cmp_1"]);
  const affinity = (await termAffinityReader(clickhouse.client)(NOW)).forRequest("chn_a", ["boots"]);
  expect(affinity?.of("prd_1")).toBeGreaterThan(1.2);
  expect(affinity?.of("prd_2")).toBeLessThan(0.9);
});

it("ignores offers without words, bids for impressions, and events whose charge was reversed", async () => {
  const reversed = await store(times(20, 20));
  await insert(
    "reversals",
    reversed.map((offer_id) => ({ at: clickhouseTime(NOW.getTime()), event: "click", offer_id })),
  );
  await store([
    ...times(5, 5, { fields: { terms: [] } }),
    // As they wait in the write-ahead file when svc is updated.
    ...times(5, 5, { fields: { terms: undefined, position: undefined } }),
    ...times(5, 5, { fields: { model: "cpm" } }),
    ...times(5, 5, { traffic: "data_center" }),
  ]);
  expect(await countsIn()).toEqual([]);
});

it("forgets: an event has half its weight after 14 days, and none after about a month", async () => {
  await store([...times(30, 6), ...times(300, 3, { term: "sandals" })]);
  const [fresh, later] = [await boots(), await boots(new Date(NOW.getTime() + 21 * DAY_MS))];
  expect(fresh).toBeGreaterThan(1.4);
  expect(later).toBeGreaterThan(1.1);
  expect(later).toBeLessThan(fresh);
  expect(await boots(new Date(NOW.getTime() + 32 * DAY_MS))).toBe(1);
  const reader = termAffinityReader(clickhouse.client);
  // The same reader moves the events from part to part of its window without losing or repeating any.
  const seen: number[] = [];
  for (const hours of [0, 1, 2, 13, 37]) {
    const affinity = await reader(new Date(NOW.getTime() + hours * HOUR_MS));
    seen.push(affinity.forRequest("chn_a", ["boots"])?.of("crv_1") ?? 1);
  }
  for (const one of seen) expect(one).toBeCloseTo(fresh, 1);
});

it("keeps the most seen words and items, whatever the number of others", async () => {
  await store(times(50, 5));
  await clickhouse.client.command({
    query: `INSERT INTO offers (at, offer_id, channel_id, mode, campaign_id, creative_id, model, terms)
      SELECT {at:String}, toUUID(concat('00000000-0000-7000-8000-', leftPad(toString(number), 12, '0'))), 'chn_a', 'live',
        'cmp_2', concat('crv_x', toString(number)), 'cpc', ['boots'] FROM numbers(30000)`,
    query_params: { at: clickhouseTime(NOW.getTime() - 60_000) },
  });
  await clickhouse.client.command({
    query: `INSERT INTO impressions (at, offer_id, served_at, mode, channel_id) SELECT at, offer_id, at, mode, channel_id
      FROM offers WHERE campaign_id = 'cmp_2'`,
  });
  const rows = await countsIn();
  expect(rows.length).toBe(10_000);
  expect(rows.filter(({ baseId }) => baseId === "crv_1").length).toBe(4);
});
