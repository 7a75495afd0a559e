import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { type ClickHouseClient, createClient } from "@clickhouse/client";
import { pino } from "pino";
import { listAttention } from "../../server/ads/attention/list-attention";
import { getCampaignPlan } from "../../server/ads/budgets/get-campaign-plan";
import { getCampaignSpend } from "../../server/ads/budgets/get-campaign-spend";
import { listCampaigns } from "../../server/ads/campaigns/list-campaigns";
import { listConversions } from "../../server/ads/conversions/list-conversions";
import { openDemo } from "../../server/ads/demo/open-demo";
import { getReport } from "../../server/ads/reports/get-report";
import type { ReportGroup } from "../../server/ads/reports/report";
import { createApp } from "../../server/app";
import { readConfig } from "../../server/config";
import { startClickHouse } from "../../server/engines/clickhouse/start-clickhouse";
import { type Engines, startEngines } from "../../server/engines/start-engines";
import { createHasher } from "../../server/identity/users/hasher";
import { systemClock } from "../../server/kernel/clock";
import { type PersonActor, scopesOfRole } from "../../server/operation/actor";
import type { AdsCtx } from "../factories/ads-ctx";
import { freePort } from "./processes";
import { measurePages } from "./report-pages";
import { rawReport } from "./report-raw";
import { fillTenant } from "./report-tenant";
import { campaignId, EVENTS, fillYear, TENANTS } from "./report-year";

const CALLS = 20;
const INSERT_TIMEOUT_MS = 300_000;
const RAW_CALLS = 3;
const PERIOD_DAYS = [1, 30, 365];
const HOUR_DAYS_MAX = 31;
const DAY_MS = 86_400_000;
const SLOT_MS = 900_000;
const TIMEZONE = "America/New_York";
const GROUPINGS: ReportGroup[][] = [
  [],
  ["day"],
  ["hour"],
  ["channel"],
  ["campaign"],
  ["creative"],
  ["placement"],
  ["geo"],
  ["device"],
  ["traffic"],
  ["day", "channel"],
  ["day", "campaign"],
  ["channel", "campaign"],
];

/** What measuring takes beyond what svc may do. */
const GRANTS = ["GRANT SYSTEM DROP CACHE ON *.*", "GRANT SELECT ON system.events", "GRANT SELECT ON system.merges"];

type Print = (line: string) => void;

/** Every report and every question of the dashboard's pages over a year of events, beside the same answer from single events. */
export async function run(print: Print): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), "svc-bench-reports-"));
  try {
    await withApp(dir, async ({ ctx, engines, filler }) => {
      const startedAt = performance.now();
      await fillYear(filler, { largeTenantId: ctx.actor.tenantId, now: ctx.clock.now() });
      await fillTenant(engines, ctx.actor.tenantId);
      print(`${(performance.now() - startedAt).toFixed(0)} ms to make it: ${await describeYear(ctx)}`);
      print(
        `the largest of ${TENANTS} tenants asks, in ${TIMEZONE}; ${CALLS} calls a figure, in ms, ${cpus().length} cores`,
      );
      await measureReports(ctx, print);
      await measureQuestions(ctx, print);
    });
    const pages = path.resolve(import.meta.dirname, "../../.next/BUILD_ID");
    if (existsSync(pages)) await measurePages(dir, print);
    else print("pages: not measured, because they are not built; npm test builds them");
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

interface World {
  ctx: AdsCtx;
  engines: Engines;
  /** Waits longer than svc's own client for what it inserts. */
  filler: ClickHouseClient;
}

/** The server's engines and loops without its HTTP server; the asking tenant is the demo's, so that its log-in works on pages. */
async function withApp(dir: string, use: (world: World) => Promise<void>): Promise<void> {
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "production",
    SVC_DATA_DIR: dir,
    SVC_DEMO: "on",
    PORT: String(await freePort()),
  };
  const { rootDir } = readConfig(env);
  const clickhouse = await startClickHouse({ rootDir, dir: path.join(dir, "clickhouse"), grants: GRANTS });
  const config = readConfig({ ...env, CLICKHOUSE_URL: clickhouse.url });
  const log = pino({ level: "error" });
  const filler = createClient({
    url: clickhouse.url,
    request_timeout: INSERT_TIMEOUT_MS,
    clickhouse_settings: { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: "10000" },
  });
  const engines = await startEngines(config, { log, progress: () => undefined, onClaimLost: () => undefined });
  try {
    const hasher = await createHasher();
    const demo = await openDemo(config, { engines, account: { db: engines.db, clock: systemClock, hasher } });
    const app = await createApp(config, { engines, hasher, log });
    const tenantId = demo?.api.tenant_id ?? "";
    const scopes = scopesOfRole("owner");
    const actor: PersonActor = { kind: "person", tenantId, userId: "", sessionId: "", role: "owner", scopes };
    await use({
      ctx: { ...app.ads, actor, request: { requestId: "req_bench", address: "127.0.0.1", userAgent: "" } },
      engines,
      filler,
    }).finally(() => app.stop());
  } finally {
    await engines.stop();
    await filler.close();
    await clickhouse.stop();
  }
}

async function describeYear({ clickhouse }: AdsCtx): Promise<string> {
  const answer = await clickhouse.query({
    query: `SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes, count() AS parts FROM system.parts
      WHERE active AND database = currentDatabase() GROUP BY table`,
    format: "JSONEachRow",
  });
  const rows = await answer.json<{ table: string; rows: string; bytes: string; parts: string }>();
  const of = (table: string) => rows.find((row) => row.table === table);
  const million = (count: number) => `${(count / 1e6).toFixed(2)} million`;
  const events = Object.keys(EVENTS).reduce((sum, table) => sum + Number(of(table)?.rows ?? 0), 0);
  const rollup = of("report_slots");
  return `${million(events)} events, ${million(Number(rollup?.rows))} rows of rollup in ${rollup?.parts} parts and ${(Number(rollup?.bytes) / 2 ** 20).toFixed(0)} MiB`;
}

async function measureReports(ctx: AdsCtx, print: Print): Promise<void> {
  print(
    "\n| report by | days | rows | warm p50 | p95 | cold p50 | p95 | raw scan p50 | raw / warm | rows read | raw reads | equal |",
  );
  print("|---|---|---|---|---|---|---|---|---|---|---|---|");
  const toMs = Math.floor(ctx.clock.now().getTime() / SLOT_MS) * SLOT_MS;
  for (const groups of GROUPINGS) {
    for (const days of PERIOD_DAYS) {
      if (groups.includes("hour") && days > HOUR_DAYS_MAX) continue;
      const period = { fromMs: toMs - days * DAY_MS, toMs };
      const row = await reportRow(ctx, groups, { ...period, days }).catch(
        (failure: unknown) => `| ${groups.join(" and ")} | ${days} | not measured: ${String(failure)} |`,
      );
      print(row);
    }
  }
}

async function reportRow(ctx: AdsCtx, groups: ReportGroup[], { fromMs, toMs, days }: Period): Promise<string> {
  const input = {
    mode: "live",
    timezone: TIMEZONE,
    group_by: groups,
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
  };
  const ask = () => getReport.run(ctx, getReport.input.parse(input));
  const raw = () =>
    rawReport(ctx.clickhouse, {
      tenantId: ctx.actor.tenantId,
      mode: "live",
      groups,
      timezone: TIMEZONE,
      fromMs,
      toMs,
    });
  const { rows } = await ask();
  const isEqual = sorted(rows) === sorted(await raw());
  const warm = await timed(ask, CALLS);
  const cold = await timed(ask, CALLS, () => dropCaches(ctx.clickhouse));
  const scan = await timed(raw, RAW_CALLS);
  const ratio = (scan.p50 / warm.p50).toFixed(1);
  const reads = [await rowsRead(ctx.clickhouse, ask), await rowsRead(ctx.clickhouse, raw)];
  return `| ${groups.join(" and ") || "nothing"} | ${days} | ${rows.length} | ${both(warm)} | ${both(cold)} | ${scan.p50.toFixed(0)} | ${ratio} | ${reads.map(thousands).join(" | ")} | ${isEqual ? "yes" : "NO"} |`;
}

interface Period {
  fromMs: number;
  toMs: number;
  days: number;
}

/** What the pages ask besides, by the same verbs. */
async function measureQuestions(ctx: AdsCtx, print: Print): Promise<void> {
  const campaign = { id: campaignId(0, 0) };
  const report = (days: number, group_by: string) => () => {
    const from = new Date(ctx.clock.now().getTime() - days * DAY_MS).toISOString().slice(0, 10);
    return getReport.run(ctx, getReport.input.parse({ mode: "live", timezone: TIMEZONE, from, group_by }));
  };
  const questions: [string, () => Promise<unknown>][] = [
    ["overview: 14 days by day", report(13, "day")],
    ["overview: 7 days by hour", report(7, "hour")],
    ["overview: what needs attention", () => listAttention.run(ctx, listAttention.input.parse({ mode: "live" }))],
    ["channel: 30 days by channel", report(29, "channel")],
    ["campaign: spend", () => getCampaignSpend.run(ctx, campaign)],
    ["campaign: plan of the day", () => getCampaignPlan.run(ctx, campaign)],
    [
      "reports: names of campaigns",
      () => listCampaigns.run(ctx, listCampaigns.input.parse({ mode: "live", limit: 1000 })),
    ],
    ["conversions: orders", () => listConversions.run(ctx, listConversions.input.parse({ mode: "live" }))],
  ];
  print("\n| page: question | warm p50 | p95 | cold p50 | p95 |");
  print("|---|---|---|---|---|");
  for (const [what, ask] of questions) {
    await ask();
    const warm = await timed(ask, CALLS);
    const cold = await timed(ask, CALLS, () => dropCaches(ctx.clickhouse));
    print(`| ${what} | ${both(warm)} | ${both(cold)} |`);
  }
  print("");
}

/** Cold is without ClickHouse's caches; the files themselves stay in the system's. */
async function dropCaches(clickhouse: ClickHouseClient): Promise<void> {
  for (const cache of ["MARK", "UNCOMPRESSED", "INDEX MARK", "QUERY CONDITION"]) {
    await clickhouse.command({ query: `SYSTEM DROP ${cache} CACHE` });
  }
}

const thousands = (count: number): string => `${Math.round(count / 1000).toLocaleString("en")} k`;

/** Rows that ClickHouse reads for one call, whatever else the machine does; the least of three, for svc's loops read too. */
async function rowsRead(clickhouse: ClickHouseClient, ask: () => Promise<unknown>): Promise<number> {
  const total = async () => {
    const query = "SELECT toString(value) AS value FROM system.events WHERE event = 'SelectedRows'";
    const answer = await clickhouse.query({ query, format: "JSONEachRow" });
    return Number((await answer.json<{ value: string }>())[0]?.value ?? 0);
  };
  const counts: number[] = [];
  for (let time = 0; time < 3; time++) {
    const before = await total();
    await ask();
    counts.push((await total()) - before);
  }
  return Math.min(...counts);
}

interface Times {
  p50: number;
  p95: number;
}

async function timed(ask: () => Promise<unknown>, calls: number, before?: () => Promise<void>): Promise<Times> {
  const took: number[] = [];
  for (let call = 0; call < calls; call++) {
    await before?.();
    const startedAt = performance.now();
    await ask();
    took.push(performance.now() - startedAt);
  }
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.ceil(share * calls) - 1] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

const both = ({ p50, p95 }: Times): string => `${p50.toFixed(0)} | ${p95.toFixed(0)}`;

/** Rows whatever their order and that of their fields. */
const sorted = (rows: Record<string, unknown>[]): string =>
  JSON.stringify(rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort());
