import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { describe, expect, it, vi } from "vitest";
import type { EarningsStatement, SpendStatement, StatementMonth } from "../../app/(dashboard)/offers/balance/statement";
import { formatMonth } from "../../app/format/dates";
import { formatMoney } from "../../app/format/money";
import { startSimulatedTraffic } from "../../server/ads/demo/start-simulated-traffic";
import { systemClock } from "../../server/kernel/clock";
import { sharedBrowser } from "../factories/browser";
import { openForFile } from "../factories/open-for-file";
import { inDatabase, ownDemo } from "../factories/shared-server";
import { rowsOf } from "./campaign-visit";
import { logIn, openPage } from "./dashboard-visit";
import { flawsOfState } from "./look";

/** 30 days of simulated traffic are written after the start, beside the work of other tests. */
const SIMULATED_WITHIN_MS = 150_000;
/** The page asks again every minute. */
const SHOWN_WITHIN_MS = 90_000;
/** A failed query is tried again twice before the page says so. */
const REFUSED_WITHIN_MS = 30_000;
const POLL = { timeout: SHOWN_WITHIN_MS, interval: 500 };

const faults: string[] = [];

const [server, browser] = await Promise.all([ownDemo(), sharedBrowser()]);
// The traffic that the demo of a new installation has, with charges of two tenants.
await inDatabase(server, ({ db, sql }) =>
  startSimulatedTraffic(
    { db, sql, clock: systemClock },
    { tenantId: server.demo.api.tenant_id, landingBase: `${server.url}/demo/landing` },
  ),
);
const context = await openForFile(browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" }));
await logIn(context, server);
const page = await openPage(context, faults);
await vi.waitFor(async () => expect(await simulatedState()).toBe("complete"), {
  timeout: SIMULATED_WITHIN_MS,
  interval: 500,
});

/** Complete when nothing more is added to the demo's ledger. */
async function simulatedState(): Promise<string | undefined> {
  const answer = await page.request.get(`${server.url}/api/trpc/getSimulatedTraffic?input=%7B%7D`);
  return (await answer.json()).result?.data?.state;
}

async function ask<T>(path: string): Promise<T> {
  const headers = { authorization: `Bearer ${server.demo.api.live_key}` };
  const answer = await fetch(`${server.url}/v1/ads/${path}`, { headers });
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}

const months = async (): Promise<StatementMonth[]> => (await ask<{ data: StatementMonth[] }>("statements")).data;

type Amounts = (month: StatementMonth) => number[];
const earned: Amounts = ({ earnings }) => [
  earnings.earned_micros,
  earnings.clawed_back_micros,
  earnings.pending_micros,
  earnings.available_micros,
];
const spent: Amounts = ({ spend }) => [
  spend.spent_micros,
  spend.reversed_micros,
  spend.credited_micros,
  spend.closing_balance_micros,
  spend.own_channels_micros,
];

/** What the page should show, and what it shows: of each month its name and amounts. */
const expectedRows = async (amounts: Amounts): Promise<string[][]> =>
  (await months())
    .filter((month) => amounts(month).some((micros) => micros > 0))
    .map((month) => [formatMonth(month.month), ...amounts(month).map((micros) => formatMoney(micros, month.currency))]);
const shownRows = async (caption: string): Promise<string[][]> =>
  (await rowsOf(page, caption)).map(([month = "", ...cells]) => [
    month.replace(/(So far|Pending|Final)$/, ""),
    ...cells.slice(0, -1),
  ]);

/** Compares both at the same time, because at midnight earnings become available. */
const isAsInLedger = async (caption: string, amounts: Amounts): Promise<unknown> => {
  const [shown, expected] = [await shownRows(caption), await expectedRows(amounts)];
  return shown.length > 0 && JSON.stringify(shown) === JSON.stringify(expected) ? "the same" : { shown, expected };
};

const open = () => page.goto(`${server.url}/offers/balance?mode=live`);
const table = (name: string) => page.getByRole("table", { name });

describe("the balance page", () => {
  it("shows earnings and spend by month as the ledger has them, and what is left", async () => {
    await open();
    await table("Earnings by month").waitFor();
    await table("Spend by month").waitFor();
    await expect.poll(() => isAsInLedger("Earnings by month", earned), POLL).toBe("the same");
    await expect.poll(() => isAsInLedger("Spend by month", spent), POLL).toBe("the same");
    const figure = (part: string, label: string) =>
      page
        .getByRole("region", { name: part })
        .locator("dl")
        .filter({ has: page.getByText(label, { exact: true }) })
        .locator("dd")
        .first();
    const { pending_micros, available_micros, currency } = await ask<{
      pending_micros: number;
      available_micros: number;
      currency: string;
    }>("earnings");
    expect(pending_micros + available_micros).toBeGreaterThan(0);
    await expect
      .poll(() => figure("Earnings", "Earnings balance").textContent(), POLL)
      .toBe(formatMoney(pending_micros + available_micros, currency));
    const balance = await ask<{ available_micros: number }>("balance");
    await expect
      .poll(() => figure("Spend", "Prepaid balance").textContent(), POLL)
      .toBe(formatMoney(balance.available_micros, currency));
    await page.getByRole("img", { name: /^Earnings by day since/ }).waitFor();
  });

  it("saves the earnings of each month as CSV, with the exact amounts of the ledger and their total", async () => {
    for (const { month } of (await months()).filter(({ earnings }) => earnings.earned_micros > 0)) {
      const rows = await download(`Download CSV: earnings of ${formatMonth(month)}`, `svc-earnings-${month}.csv`);
      const { lines, totals, currency } = await ask<EarningsStatement>(`statements/${month}/earnings`);
      const written = [...lines, { ...totals, channel_name: "Total", channel_id: "" }];
      expect(rows.map((row) => [row["Month (UTC)"], row.Currency])).toEqual(written.map(() => [month, currency]));
      expect(rows.map((row) => [row.Channel, row["Channel ID"], row.Earned, row["Clawed back"]])).toEqual(
        written.map((line) => [line.channel_name, line.channel_id, line.earned, line.clawed_back]),
      );
      expect(nanosOf(totals.earned)).toBe(lines.reduce((sum, line) => sum + nanosOf(line.earned), 0n));
      expect(lines.length).toBeGreaterThan(0);
    }
  });

  it("saves the spend of each month as CSV, by campaign", async () => {
    for (const { month } of (await months()).filter((each) => spent(each).some((micros) => micros > 0))) {
      const rows = await download(`Download CSV: spend of ${formatMonth(month)}`, `svc-spend-${month}.csv`);
      const { lines, totals, currency } = await ask<SpendStatement>(`statements/${month}/spend`);
      const written = [...lines, { ...totals, campaign_name: "Total", campaign_id: "" }];
      expect(
        rows.map((row) => [row.Campaign, row["Campaign ID"], row.Charged, row.Spent, row["Own channels (not paid)"]]),
      ).toEqual(
        written.map((line) => [line.campaign_name, line.campaign_id, line.charged, line.spent, line.own_channels]),
      );
      expect(new Set(rows.map((row) => row.Currency))).toEqual(new Set([currency]));
    }
  });

  it("looks as every page should with months of earnings and spend", async () => {
    expect(await flawsOfState(page)).toEqual([]);
  });

  it("says that a statement could not be downloaded", async () => {
    const calls = /\/api\/trpc\/[^?]*getEarningsStatement/;
    const [latest] = (await months()).filter(({ earnings }) => earnings.earned_micros > 0);
    await page.route(calls, (route) => route.abort());
    await page.getByRole("button", { name: `Download CSV: earnings of ${formatMonth(latest?.month ?? "")}` }).click();
    // A page that refreshes in the background says something longer.
    const said = "The server could not be reached. Check the connection and try again.";
    await page.getByText(said, { exact: true }).first().waitFor({ timeout: REFUSED_WITHIN_MS });
    await page.unroute(calls);
  });

  it("shows an error with a way to try again", async () => {
    const calls = /\/api\/trpc\/[^?]*listStatements/;
    await page.route(calls, (route) => route.abort());
    await open();
    await page
      .getByRole("main")
      .getByRole("alert")
      .filter({ hasText: "The server could not be reached." })
      .first()
      .waitFor({ timeout: REFUSED_WITHIN_MS });
    await page.unroute(calls);
    await page.getByRole("main").getByRole("button", { name: "Try again" }).first().click();
    await table("Earnings by month").waitFor({ timeout: REFUSED_WITHIN_MS });
  });

  it("has no money in test mode, and leads to live mode", async () => {
    await page.goto(`${server.url}/offers/balance?mode=test`);
    await page.getByRole("heading", { name: "Test mode has no money" }).waitFor();
    await page.getByRole("button", { name: "Switch to live mode" }).click();
    await table("Earnings by month").waitFor();
    expect(new URL(page.url()).searchParams.get("mode")).toBe("live");
  });
});

it("tells a new account what will appear here", async () => {
  const stranger = await browser.newContext({ locale: "en-US" });
  const first = await openPage(stranger, faults);
  await first.goto(`${server.url}/sign-up`);
  await first.getByLabel("Email address").fill(`grace-${randomUUID()}@publisher.example`);
  await first.getByLabel("Company or site").fill("Trail Notes");
  await first.getByLabel("Password").fill("five quiet otters swim");
  await first.getByRole("button", { name: "Create account" }).click();
  await first.waitForURL(`${server.url}/offers`);
  await first.goto(`${server.url}/offers/balance?mode=live`);
  await first.getByRole("heading", { name: "No earnings and no spend yet" }).waitFor();
  await first.getByRole("main").getByRole("link", { name: "Create a channel" }).waitFor();
  expect(await first.getByRole("table").count()).toBe(0);
  await stranger.close();
});

it("leaves no error in the browser's console but those of the aborted calls", () =>
  expect(faults.filter((fault) => !/(getEarningsStatement|listStatements).*ERR_FAILED/.test(fault))).toEqual([]));

/** The rows of a downloaded file. */
async function download(button: string, fileName: string): Promise<Record<string, string>[]> {
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: button, exact: true }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe(fileName);
  return parse(await readFile(await file.path(), "utf8"), { columns: true, bom: true });
}

/** "1.50" in nanos. */
function nanosOf(amount: string): bigint {
  const [whole = "", decimals = ""] = amount.split(".");
  return BigInt(whole) * 1_000_000_000n + BigInt(decimals.padEnd(9, "0"));
}
