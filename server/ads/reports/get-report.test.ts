import { describe, expect, it, test } from "vitest";
import { testClickHouse } from "../../../test/factories/clickhouse";
import { openForFile } from "../../../test/factories/open-for-file";
import { inventEvents, sendEvents, TENANTS } from "../../../test/factories/report-events";
import { expectedRows } from "../../../test/factories/report-oracle";
import { ManualClock } from "../../kernel/clock";
import { uuidv7 } from "../../kernel/ids";
import { type Actor, type Mode, scopesOfRole } from "../../operation/actor";
import { createReportTurns, getReport } from "./get-report";

const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse("2026-09-30T00:00Z");
const LAST_MS = Date.parse("2026-11-06T00:00Z");

const clickhouse = await openForFile(testClickHouse());
const events = inventEvents({ count: 6_000, seed: 7, fromMs: FIRST_MS, toMs: LAST_MS });
await sendEvents(clickhouse.client, events);

const reportTurns = createReportTurns();

const person = (tenantId: string): Actor => ({
  kind: "person",
  tenantId,
  userId: "usr_1",
  sessionId: "ses_1",
  role: "owner",
  scopes: scopesOfRole("owner"),
});

function report(actor: Actor, input: Record<string, unknown>, now = "2026-11-20T10:07:00Z") {
  const ctx = {
    actor,
    clickhouse: clickhouse.client,
    clock: new ManualClock(new Date(now)),
    currency: "USD",
    retentionRawDays: 400,
    reportTurns,
  };
  return getReport.run(ctx, getReport.input.parse(input));
}

const refusal = (input: Record<string, unknown>) =>
  report(person("ten_a"), input).then(
    () => undefined,
    (cause: unknown) => cause,
  );

it("has no fill rate for a period whose requests are no longer kept one by one", async () => {
  const old = await report(
    person("ten_a"),
    { mode: "live", from: "2026-10-01", to: "2026-11-05" },
    "2027-11-06T00:00:00Z",
  );
  expect(old.totals).toMatchObject({ requests: expect.any(Number), filled: null, fill_rate: null });
  expect(old.totals.requests).toBeGreaterThan(0);
});

describe("a report on one channel or campaign", () => {
  const whole = { mode: "live", from: "2026-10-01", to: "2026-11-05" };
  it.each(["", "day", "geo,device"])("has exactly its rows of the report on all, by %s", async (group_by) => {
    const all = await report(person("ten_a"), { ...whole, group_by: `channel,campaign,${group_by}` });
    const [channel, campaign] = [all.rows.find((row) => row.clicks > 0)?.channel, "network"];
    const own = await report(person("ten_a"), { ...whole, group_by: `channel,campaign,${group_by}`, channel });
    expect(own.rows).toEqual(all.rows.filter((row) => row.channel === channel));
    const both = await report(person("ten_a"), {
      ...whole,
      group_by: `channel,campaign,${group_by}`,
      channel,
      campaign,
    });
    expect(both.rows).toEqual(own.rows.filter((row) => row.campaign === campaign));
    const grouped = await report(person("ten_a"), { ...whole, group_by, channel });
    expect(grouped.totals).toEqual(own.totals);
  });

  it("of another tenant is empty", async () => {
    const { rows } = await report(person("ten_a"), { ...whole, group_by: "channel" });
    const foreign = await report(person("ten_b"), { ...whole, group_by: "day", channel: rows[0]?.channel ?? "" });
    expect(foreign.rows).toEqual([]);
  });
});

describe("a report equals the counts of the single events", () => {
  const zones = ["UTC", "Asia/Kolkata", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe"];
  const groups = ["", "channel", "campaign,creative", "day,geo,device", "traffic,placement", "campaign,day"];
  const whole = { from: "2026-10-01", to: "2026-11-05" };
  const cases = [
    ...groups.map((group_by) => ({ ...whole, timezone: "America/New_York", group_by })),
    // Whole UTC days, partial days at both ends, and less than a day; each reads different sums.
    ...["", "day", "channel", "campaign", "day,channel", "geo", "hour"].flatMap((group_by) => [
      { timezone: "UTC", group_by, from: "2026-10-10", to: "2026-10-12" },
      { timezone: "UTC", group_by, from: "2026-10-10T22:15:00Z", to: "2026-10-13T00:45:00Z" },
      { timezone: "UTC", group_by, from: "2026-10-10T05:15:00Z", to: "2026-10-11T03:00:00Z" },
    ]),
    ...zones.flatMap((timezone) => [
      { ...whole, timezone, group_by: "day" },
      { ...whole, timezone, group_by: "hour", to: "2026-10-15" },
      { ...whole, timezone, group_by: "hour,channel", from: "2026-10-20" },
    ]),
  ];
  test.each(cases)("by $group_by in $timezone from $from to $to, for each viewer", async (input) => {
    for (const tenant of TENANTS) {
      const mode: Mode = tenant === "ten_b" ? "test" : "live";
      const { rows, from, to } = await report(person(tenant), { ...input, mode });
      const period = { fromMs: Date.parse(from), toMs: Date.parse(to), timezone: input.timezone };
      const wanted = expectedRows(events, {
        ...period,
        tenant,
        mode,
        groups: input.group_by.split(",").filter(Boolean),
      });
      const byKey = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
      expect(wanted.length).toBeGreaterThan(0);
      expect(rows.map((row) => ({ ...row })).sort(byKey)).toEqual(wanted.sort(byKey));
      const hours = rows.flatMap(({ hour }) => (hour === undefined ? [] : [Date.parse(hour)]));
      expect(hours).toEqual(hours.toSorted((a, b) => a - b));
    }
  });
});

test("no tenant sees another's channels, campaigns or creatives, and an unrelated tenant sees nothing", async () => {
  const input = { from: "2026-09-30", to: "2026-11-06", group_by: "channel,campaign,creative", mode: "live" };
  for (const tenant of TENANTS) {
    const names = JSON.stringify((await report(person(tenant), input)).rows);
    expect(names).toContain(tenant);
    for (const other of TENANTS.filter((name) => name !== tenant)) expect(names).not.toContain(other);
  }
  const stranger = await report(person("ten_stranger"), input);
  expect(stranger.rows).toEqual([]);
  expect(stranger.totals).toMatchObject({ requests: 0, spend_micros: 0, ctr: null, viewable_rate: null });
});

test("a key sees its own mode regardless of the request, and a user without a mode sees test", async () => {
  const input = { from: "2026-09-30", to: "2026-11-06" };
  const key: Actor = {
    kind: "key",
    keyId: "key_1",
    projectId: "prj_1",
    mode: "test",
    tenantId: "ten_a",
    scopes: new Set(),
  };
  const test = await report(person("ten_a"), input);
  expect((await report(key, { ...input, mode: "live" })).totals).toEqual(test.totals);
  expect((await report(person("ten_a"), { ...input, mode: "live" })).totals).not.toEqual(test.totals);
});

test("money is rounded once: three rows of 400 nanos are 0 micros each and 1 together", async () => {
  const at = "2026-11-10T00:00:00Z";
  const row = { at, served_at: at, offer_id: uuidv7(1), mode: "live", charge_nanos: 400 };
  const values = ["a", "b", "c"].map((campaign_id) => ({
    ...row,
    tenant_id: "ten_money",
    buyer_tenant_id: "ten_money",
    campaign_id,
  }));
  await clickhouse.client.insert({ table: "clicks", values, format: "JSONEachRow" });
  const { rows, totals } = await report(person("ten_money"), {
    group_by: "campaign",
    mode: "live",
    from: "2026-11-09",
  });
  expect(rows.map((each) => each.spend_micros)).toEqual([0, 0, 0]);
  expect(totals.spend_micros).toBe(1);
});

describe("the period", () => {
  test("defaults to the last seven local days up to now, in whole slots", async () => {
    const { from, to } = await report(person("ten_a"), { timezone: "Asia/Kolkata" });
    expect({ from, to }).toEqual({ from: "2026-11-13T18:30:00.000Z", to: "2026-11-20T10:15:00.000Z" });
  });

  test("interprets dates as local and date-times as given, widened to slots", async () => {
    const input = { timezone: "America/New_York", from: "2026-11-01", to: "2026-11-01T18:20:01-05:00" };
    const { from, to } = await report(person("ten_a"), input);
    expect({ from, to }).toEqual({ from: "2026-11-01T04:00:00.000Z", to: "2026-11-01T23:30:00.000Z" });
  });

  test("may cover 400 days, and 31 by hour, across clock changes", async () => {
    const timezone = "America/New_York";
    const year = { timezone, from: "2025-10-02", to: "2026-11-06", group_by: "day" };
    const { from, to } = await report(person("ten_a"), year);
    expect(Math.floor((Date.parse(to) - Date.parse(from)) / DAY_MS)).toBe(400);
    await report(person("ten_a"), { timezone, from: "2026-10-15", to: "2026-11-15", group_by: "hour" });
  });
});

describe("an invalid request reports its parameter", () => {
  test.each([
    ["timezone", { timezone: "Mars/Phobos" }],
    ["timezone", { timezone: "+02:00" }],
    ["from", { from: "yesterday" }],
    ["from", { from: "2026-02-30" }],
    ["from", { from: "2026-11-20T10:00" }],
    ["from", { from: "1969-01-01" }],
    ["to", { to: "2026-13-01" }],
    ["to", { to: "9999-01-01" }],
    ["from", { from: "2026-11-02", to: "2026-11-02" }],
    ["from", { from: "2026-12-01" }],
    ["from", { from: "2025-10-01", to: "2026-11-06" }],
    ["from", { from: "2026-10-01", to: "2026-11-02", group_by: "hour" }],
  ])("%s in %j", async (param, input) => {
    expect(await refusal(input)).toMatchObject({ code: "invalid_request", param });
  });

  test("an unknown group", () => {
    const parsed = getReport.input.safeParse({ group_by: "day,query" });
    expect(parsed.error?.issues.map((issue) => issue.path)).toEqual([["group_by", 1]]);
  });

  test("a report of more than 50,000 rows", async () => {
    await clickhouse.client.command({
      query: `INSERT INTO impressions (at, tenant_id, buyer_tenant_id, mode, creative_id)
        SELECT '2026-11-12 00:00:00', 'ten_many', 'ten_many', 'test', concat('crt_', toString(number)) FROM numbers(50001)`,
    });
    const reportBy = (group_by: string) => report(person("ten_many"), { from: "2026-11-11", group_by });
    await expect(reportBy("creative")).rejects.toMatchObject({ code: "invalid_request", param: "group_by" });
    expect((await reportBy("day")).rows).toMatchObject([{ day: "2026-11-12", impressions: 50_001 }]);
  });
});

test("a list of groups may be text or an array, and repeats are dropped", () => {
  const parse = (group_by: unknown) => getReport.input.parse({ group_by }).group_by;
  expect(parse("day, geo,day")).toEqual(["day", "geo"]);
  expect(parse(["geo", "day"])).toEqual(["geo", "day"]);
  expect(parse(undefined)).toEqual([]);
  expect(parse("")).toEqual([]);
});
