import { expect } from "vitest";
import { eventually } from "../../factories/app";
import { BROWSER, LOOKS_FOR_MS } from "../../factories/calls";
import type { ServerProcess } from "./server-process";

const QUERY = "wireless headphones";
const WORKERS = 24;
const CAUGHT_UP_WITHIN_MS = 60_000;
const AS_A_PERSON = { "user-agent": BROWSER };

/** What callers know: which offers they were handed, and which events svc has acknowledged. */
export class Ledger {
  readonly served = new Set<string>();
  readonly seen = new Set<string>();
  readonly clicked = new Map<string, string>();
  /** Sent, and never answered: callers send these again. */
  readonly seenUnanswered = new Set<string>();
  readonly clickUnanswered = new Set<string>();
}

/** As long as a person looks before they click: a real server has no other clock. */
export const look = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOKS_FOR_MS));

/** Asks for offers; undefined when the server did not answer with them. */
export async function askOffers({ url, keys }: ServerProcess, limit = 8): Promise<string[] | undefined> {
  const response = await fetch(`${url}/api/v1/offers`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-svc-api-key": keys.server },
    body: JSON.stringify({ query: QUERY, limit }),
  }).catch(() => undefined);
  const text = await response?.text().catch(() => undefined);
  if (response?.status !== 200 || text === undefined) return undefined;
  return (JSON.parse(text) as { offers: { id: string }[] }).offers.map(({ id }) => id);
}

/** The status of a report; 0 when no answer came. */
export const report = async ({ url }: ServerProcess, ids: readonly string[]): Promise<number> =>
  fetch(`${url}/api/v1/impressions/batch`, {
    method: "POST",
    headers: { "content-type": "application/json", ...AS_A_PERSON },
    body: JSON.stringify({ ids }),
  }).then(
    ({ status }) => status,
    () => 0,
  );

/** The click id that a click was sent on with; undefined when it was not redirected. */
export async function follow({ url }: ServerProcess, id: string): Promise<string | undefined> {
  const response = await fetch(`${url}/api/v1/clicks/${id}`, { redirect: "manual", headers: AS_A_PERSON }).catch(
    () => undefined,
  );
  if (response?.status !== 302) return undefined;
  return /svc_click_id=([0-9a-f]{32})/.exec(response.headers.get("location") ?? "")?.[1];
}

/** As `follow`, again while svc answers that it cannot. */
export async function followSoon(server: ServerProcess, id: string): Promise<string> {
  let clickId: string | undefined;
  await eventually(async () => {
    clickId = await follow(server, id);
    return clickId !== undefined;
  }, CAUGHT_UP_WITHIN_MS);
  return clickId ?? "";
}

/** Offers, impressions and clicks from several callers side by side, until the server dies or `isOver`. */
export async function drive(server: ServerProcess, ledger: Ledger, isOver = () => false): Promise<void> {
  let gone = false;
  void server.ended.then(() => {
    gone = true;
  });
  const worker = async () => {
    while (!gone && !isOver()) await oneVisit(server, ledger);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}

async function oneVisit(server: ServerProcess, ledger: Ledger): Promise<void> {
  const ids = await askOffers(server, 4);
  if (!ids) return;
  await look();
  for (const id of ids) ledger.served.add(id);
  await Promise.all([sendReport(server, ledger, ids), ids[0] && sendClick(server, ledger, ids[0])]);
}

async function sendReport(server: ServerProcess, ledger: Ledger, ids: readonly string[]): Promise<void> {
  for (const id of ids) ledger.seenUnanswered.add(id);
  if ((await report(server, ids)) !== 204) return;
  for (const id of ids) {
    ledger.seenUnanswered.delete(id);
    ledger.seen.add(id);
  }
}

async function sendClick(server: ServerProcess, ledger: Ledger, id: string): Promise<void> {
  ledger.clickUnanswered.add(id);
  const clickId = await follow(server, id);
  if (clickId === undefined) return;
  ledger.clickUnanswered.delete(id);
  ledger.clicked.set(id, clickId);
}

/** What callers do when svc is back: they send again what was never answered, and some of what was. */
export async function sendAgain(server: ServerProcess, ledger: Ledger): Promise<void> {
  const seen = [...ledger.seen].slice(-200);
  // On a busy machine svc may answer 503 once more: then callers try again.
  await eventually(async () => {
    const reports = [...ledger.seenUnanswered, ...seen];
    for (let at = 0; at < reports.length; at += 256) await sendReport(server, ledger, reports.slice(at, at + 256));
    for (const id of ledger.clickUnanswered) await sendClick(server, ledger, id);
    return ledger.seenUnanswered.size + ledger.clickUnanswered.size === 0;
  }, CAUGHT_UP_WITHIN_MS);
  for (const [id, clickId] of [...ledger.clicked].slice(-10)) expect(await followSoon(server, id)).toBe(clickId);
}

/** Where a test reads what the engines hold. */
export type Rows = Pick<ServerProcess, "rows">;

/** Resolves when nothing waits in Postgres or the write-ahead file any more. */
export const caughtUp = (server: Rows, withinMs = CAUGHT_UP_WITHIN_MS): Promise<void> =>
  eventually(async () => {
    // The file first: a click that is replayed out of it leaves a row in the outbox.
    const [wal] = await server.rows("wal").catch(() => []);
    if (wal?.waiting !== 0) return false;
    const waiting = "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM outbox_slices) AS waiting";
    const [postgres] = await server.rows("postgres", waiting).catch(() => []);
    return Number(postgres?.waiting) === 0;
  }, withinMs);

/** Proves with ClickHouse that every acknowledged event counts exactly once, in the raw tables and in the sums. */
export async function expectExact(server: ServerProcess, ledger: Ledger): Promise<void> {
  await caughtUp(server);
  const counted = async (table: string, where = "1"): Promise<string[]> =>
    (await server.rows("clickhouse", `SELECT offer_id FROM ${table} WHERE ${where}`)).map((row) =>
      String(row.offer_id),
    );
  const [offers, impressions] = [await counted("offers"), await counted("impressions", "traffic = ''")];
  expectOnce(offers, ledger.served);
  expectOnce(impressions, ledger.seen);
  expect(impressions.length).toBe(ledger.seen.size);
  const clicks = await server.rows("clickhouse", "SELECT offer_id, click_id FROM clicks WHERE traffic = ''");
  expect(clicks.length).toBe(ledger.clicked.size);
  expect(new Map(clicks.map((row) => [row.offer_id, row.click_id]))).toEqual(ledger.clicked);
  await expectSums(server);
}

export function expectOnce(ids: readonly string[], acknowledged: ReadonlySet<string>): void {
  const found = new Set(ids);
  expect(ids.length - found.size, "doubled").toBe(0);
  expect(
    [...acknowledged].filter((id) => !found.has(id)),
    "lost",
  ).toEqual([]);
}

/** The sums of reports say what the single events say, and the ledger of money says the same. */
export async function expectSums(server: Rows): Promise<void> {
  const [sums] = await server.rows(
    "clickhouse",
    `SELECT toUInt32(sum(requests)) AS requests, toUInt32(sum(served)) AS served, toUInt32(sum(impressions)) AS impressions,
       toUInt32(sum(clicks)) AS clicks, toUInt32(sum(invalid_impressions)) AS invalid_impressions,
       toUInt32(sum(invalid_clicks)) AS invalid_clicks, toString(sum(spend_nanos)) AS spend FROM report_slots`,
  );
  const [raw] = await server.rows(
    "clickhouse",
    `SELECT toUInt32((SELECT uniqExact(request_id) FROM requests)) AS requests, toUInt32((SELECT count() FROM offers)) AS served,
       toUInt32((SELECT countIf(traffic = '') FROM impressions)) AS impressions,
       toUInt32((SELECT countIf(traffic = '') FROM clicks)) AS clicks,
       toUInt32((SELECT countIf(traffic != '') FROM impressions)) AS invalid_impressions,
       toUInt32((SELECT countIf(traffic != '') FROM clicks)) AS invalid_clicks,
       toString((SELECT sum(charge_nanos) FROM impressions) + (SELECT sum(charge_nanos) FROM clicks)) AS spend`,
  );
  expect(sums).toEqual(raw);
  const [spent] = await server.rows("postgres", "SELECT coalesce(sum(nanos), 0)::text AS spend FROM campaign_spend");
  expect(spent?.spend).toBe(raw?.spend);
  const [total] = await server.rows("postgres", "SELECT coalesce(sum(nanos), 0)::text AS spend FROM campaign_totals");
  expect(total?.spend).toBe(raw?.spend);
  const [ledger] = await server.rows("postgres", "SELECT coalesce(sum(charge_nanos), 0)::text AS spend FROM ledger");
  expect(ledger?.spend).toBe(raw?.spend);
}
