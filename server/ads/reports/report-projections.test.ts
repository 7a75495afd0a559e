import type { ClickHouseClient } from "@clickhouse/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestClickHouse, testClickHouse } from "../../../test/factories/clickhouse";
import { inventEvents, sendEvents, TENANTS } from "../../../test/factories/report-events";
import { expectedRows, type RawEvent } from "../../../test/factories/report-oracle";
import { createClickHouseClient } from "../../engines/clickhouse/connect-clickhouse";
import { ManualClock } from "../../kernel/clock";
import { type Actor, scopesOfRole } from "../../operation/actor";
import { createReportTurns, getReport } from "./get-report";

const WHOLE_DAYS = { from: "2026-08-20", to: "2026-11-05" };
const SPAN = { fromMs: Date.parse("2026-08-15T00:00Z"), toMs: Date.parse("2026-11-10T00:00Z") };

let clickhouse: TestClickHouse;
const clients: ClickHouseClient[] = [];

beforeEach(async () => {
  clickhouse = await testClickHouse();
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await clickhouse.close();
});

/** A client whose queries all use a setting. */
function clientWith(setting: string): ClickHouseClient {
  const client = createClickHouseClient(`${clickhouse.url}&clickhouse_setting_${setting}`);
  clients.push(client);
  return client;
}

interface GateQuery {
  tenant?: string;
  from?: string;
  to?: string;
  timezone?: string;
  group_by?: string;
}

async function rowsOf(client: ClickHouseClient, { tenant = "ten_a", ...input }: GateQuery) {
  const scopes = scopesOfRole("owner");
  const actor: Actor = { kind: "person", tenantId: tenant, userId: "u", sessionId: "s", role: "owner", scopes };
  const clock = new ManualClock(new Date("2026-11-20T10:07:00Z"));
  const ctx = {
    actor,
    clickhouse: client,
    clock,
    currency: "USD",
    retentionRawDays: 400,
    reportTurns: createReportTurns(),
  };
  return (await getReport.run(ctx, getReport.input.parse({ ...WHOLE_DAYS, mode: "live", ...input }))).rows;
}

function countedIn(events: RawEvent[], { tenant = "ten_a", from, to, timezone = "UTC", group_by = "" }: GateQuery) {
  const [fromMs, toMs] = [from ?? WHOLE_DAYS.from, to ?? WHOLE_DAYS.to].map((time) => Date.parse(time)) as [
    number,
    number,
  ];
  const groups = group_by.split(",").filter(Boolean);
  return expectedRows(events, { tenant, mode: "live", groups, timezone, fromMs, toMs });
}

const inOrder = (rows: object[]): string[] => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();

async function expectCounted(client: ClickHouseClient, events: RawEvent[], query: GateQuery): Promise<void> {
  const wanted = countedIn(events, query);
  expect(wanted.length).toBeGreaterThan(0);
  expect(inOrder(await rowsOf(client, query))).toEqual(inOrder(wanted));
}

const SINGLE = ["", "day", "channel", "campaign", "creative", "placement", "geo", "device", "traffic"];

const optimize = () => clickhouse.client.command({ query: "OPTIMIZE TABLE report_slots FINAL" });

test("a report over whole days reads a projection that equals the single events, before and after merges", {
  timeout: 120_000,
}, async () => {
  const events = inventEvents({ count: 1_500, seed: 3, ...SPAN });
  await sendEvents(clickhouse.client, events);
  const forced = clientWith("force_optimize_projection=1");
  for (const merge of [() => undefined, optimize]) {
    await merge();
    for (const group_by of [...SINGLE, "campaign,creative", "channel,placement,device,traffic"]) {
      for (const tenant of TENANTS) await expectCounted(forced, events, { tenant, group_by });
    }
  }
});

test("local days and hours read the sums by slot", async () => {
  const events = inventEvents({ count: 1_500, seed: 4, ...SPAN });
  await sendEvents(clickhouse.client, events);
  const forced = clientWith("force_optimize_projection_name=by_slot");
  for (const timezone of ["America/New_York", "Asia/Kolkata"]) {
    const local = { timezone, from: "2026-10-10T00:00:00Z", to: "2026-11-05T00:00:00Z" };
    for (const group_by of ["day", "hour"]) await expectCounted(forced, events, { ...local, group_by });
  }
});

test("fill rates read a projection of the requests, by whole days and by local ones", async () => {
  const events = inventEvents({ count: 1_500, seed: 10, ...SPAN });
  await sendEvents(clickhouse.client, events);
  const forced = clientWith("force_optimize_projection_name=filled_by_slot");
  const local = { timezone: "America/New_York", from: "2026-10-10T00:00:00Z", to: "2026-11-05T00:00:00Z" };
  await expectCounted(forced, events, { group_by: "channel" });
  await expectCounted(forced, events, { ...local, group_by: "day" });
});

test("expired rows are deleted from the projections too", async () => {
  const events = inventEvents({ count: 1_500, seed: 8, ...SPAN });
  await sendEvents(clickhouse.client, events);
  // The time-to-live uses the machine's clock, so it is set relative to that clock to end in the middle of the events.
  const days = Math.floor((Date.now() - Date.parse("2026-10-01T00:00Z")) / 86_400_000);
  for (const [table, column] of [
    ["report_slots", "slot"],
    ["pixel_slots", "slot"],
    ["requests", "at"],
  ]) {
    await clickhouse.client.command({
      query: `ALTER TABLE ${table} MODIFY TTL toDateTime(${column}) + toIntervalDay(${days}) SETTINGS mutations_sync = 1`,
    });
    await clickhouse.client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
  }
  const without = clientWith("optimize_use_projections=0");
  for (const group_by of SINGLE) {
    const rows = await rowsOf(clickhouse.client, { group_by });
    expect(inOrder(rows)).toEqual(inOrder(await rowsOf(without, { group_by })));
    expect(rows.length).toBeGreaterThan(0);
  }
  const september = { from: "2026-08-20", to: "2026-09-25", group_by: "campaign" };
  expect(await rowsOf(clickhouse.client, september)).toEqual([]);
});

test("a batch sent again under its token changes no projection", async () => {
  const events = inventEvents({ count: 500, seed: 9, ...SPAN }).filter(({ table }) => table === "clicks");
  const values = events.map(({ row }) => row);
  for (let time = 1; time <= 3; time++) {
    await clickhouse.client.insert({
      table: "clicks",
      values,
      format: "JSONEachRow",
      clickhouse_settings: { insert_deduplication_token: "outbox:1" },
    });
  }
  const forced = clientWith("force_optimize_projection=1");
  for (const group_by of ["day", "channel", "campaign", "geo"]) await expectCounted(forced, events, { group_by });
});
