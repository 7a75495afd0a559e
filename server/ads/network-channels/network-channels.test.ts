import { expect, test } from "vitest";
import { testClickHouse } from "../../../test/factories/clickhouse";
import { openForFile } from "../../../test/factories/open-for-file";
import { inventEvents, sendEvents, TENANTS } from "../../../test/factories/report-events";
import { createClickHouseClient } from "../../engines/clickhouse/connect-clickhouse";
import { CHANNEL_REF, ChannelRefs } from "./channel-refs";
import { figuresByChannel } from "./network-channels.sql";

const FROM = "2026-10-20";

const clickhouse = await openForFile(testClickHouse());
const span = { fromMs: Date.parse("2026-10-10T00:00Z"), toMs: Date.parse("2026-11-10T00:00Z") };
const events = inventEvents({ count: 3_000, seed: 11, ...span });
await sendEvents(clickhouse.client, events);

/** Counted from the single events: "channel kind" maps to a count, and "channel" to the spend. */
function counted(tenant: string, mode: string): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const add = (key: string, value: bigint) => sums.set(key, (sums.get(key) ?? 0n) + value);
  for (const { table, row } of events) {
    if (row.buyer_tenant_id !== tenant || row.tenant_id === tenant || row.mode !== mode || row.at < FROM) continue;
    if (!["impressions", "clicks", "conversions"].includes(table)) continue;
    // A pixel's conversion that a server's report reverses has the sign -1.
    add(`${row.channel_id} ${row.traffic ? "invalid " : ""}${table}`, BigInt(String(row.sign ?? 1)));
    add(`${row.channel_id}`, BigInt(String(row.charge_nanos ?? 0)));
  }
  return sums;
}

test("the figures equal the single events without the tenant's own channels, and come from projections", async () => {
  const forced = createClickHouseClient(`${clickhouse.url}&clickhouse_setting_force_optimize_projection=1`);
  for (const client of [clickhouse.client, forced]) {
    for (const mode of ["live", "test"] as const) {
      for (const tenantId of TENANTS) {
        const filter = { tenantId, mode, advertiserId: "", fromDay: FROM, limit: 200 };
        const figures = await figuresByChannel(client, filter);
        const sums = counted(tenantId, mode);
        const of = (key: string) => Number(sums.get(key) ?? 0n);
        expect(figures.length).toBeGreaterThan(0);
        expect(figures.length).toBe(new Set([...sums.keys()].map((key) => key.split(" ")[0])).size);
        for (const one of figures) {
          expect(one).toEqual({
            channelId: one.channelId,
            impressions: of(`${one.channelId} impressions`),
            invalidImpressions: of(`${one.channelId} invalid impressions`),
            clicks: of(`${one.channelId} clicks`),
            invalidClicks: of(`${one.channelId} invalid clicks`),
            conversions: Math.max(0, of(`${one.channelId} conversions`)),
            spendNanos: sums.get(one.channelId) ?? 0n,
          });
        }
        expect(figures.map(({ spendNanos }) => spendNanos)).toEqual(
          figures.map(({ spendNanos }) => spendNanos).toSorted((a, b) => Number(b - a)),
        );
        expect(await figuresByChannel(client, { ...filter, limit: 1 })).toEqual(figures.slice(0, 1));
      }
    }
  }
  await forced.close();
});

test("a reference is stable, and differs per buyer, channel and key", () => {
  const [refs, others] = [new ChannelRefs(Buffer.alloc(32, 1)), new ChannelRefs(Buffer.alloc(32, 2))];
  const made = [
    refs.of("ten_a", "chn_1"),
    refs.of("ten_b", "chn_1"),
    refs.of("ten_a", "chn_2"),
    others.of("ten_a", "chn_1"),
  ];
  expect(new Set(made).size).toBe(4);
  for (const ref of made) expect(ref).toMatch(CHANNEL_REF);
  expect(refs.of("ten_a", "chn_1")).toBe(made[0]);
});
