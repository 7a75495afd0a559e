import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { eventually } from "../../factories/app";
import { BROWSER } from "../../factories/calls";
import type { ServerProcess } from "./server-process";
import type { SharedWorld } from "./shared-world";
import { caughtUp, expectOnce, expectSums, look } from "./traffic";

/** Far above the bounds that svc promises (about 4 s on a frozen Postgres), and far below a frozen engine's: for ever. */
const RESPONSE_WITHIN_MS = 60_000;
const CALLERS = 16;
/** No multiple of the number of queries: each visitor asks all of them. */
const VISITORS = 61;
/** Each finds one campaign of the demo. */
const QUERIES = ["wireless headphones", "camera", "running shoes", "coffee beans", "coffee machine"];
const ORDER_VALUE_MICROS = 1_000_000;
/** A platform key has 400 requests at once and 10 a second: half of the visits would be too many. */
const ORDERS_MAX = 40;
const SETTLED_WITHIN_MS = 120_000;
/** Over its budget an event counts all the same, at no charge. */
const COUNTED = "traffic IN ('', 'over_budget')";

/** What callers of two web processes know. */
export class SharedLedger {
  readonly served = new Set<string>();
  readonly servedBy = new Map<string, ServerProcess>();
  /** What each visitor was offered. */
  readonly offersOf = new Map<string, string[]>();
  readonly seen = new Set<string>();
  /** The click ids that visitors carry: one, unless Postgres was away between two clicks. */
  readonly clickIds = new Map<string, Set<string>>();
  /** Click id by order id. */
  readonly orders = new Map<string, string>();
  /** Sent and not acknowledged: callers send these again. */
  readonly openReports = new Set<string>();
  readonly openClicks = new Set<string>();
  readonly openOrders = new Map<string, string>();
  /** Both processes gave the visitor the same click id. */
  readonly agreed: string[] = [];
  /** Responses that svc must not give. */
  readonly faults: string[] = [];
  /** How often each request got each status; 0 for a connection that failed. */
  readonly statuses = new Map<string, number>();
  visits = 0;

  /** The statuses beyond those of an earlier moment. */
  since(before: ReadonlyMap<string, number>): Record<string, number> {
    return Object.fromEntries([...this.statuses].map(([name, count]) => [name, count - (before.get(name) ?? 0)]));
  }

  count(kind: Kind, status: number): number {
    return this.statuses.get(`${kind} ${status}`) ?? 0;
  }
}

type Kind = "offers" | "report" | "click" | "order";

interface Reply {
  status: number;
  text: string;
  location: string;
}

interface Request {
  kind: Kind;
  path: string;
  init: RequestInit;
  /** Besides 503 with `Retry-After`, and 0 for a process that was killed. */
  done: number;
}

/** Sends one request and notes what svc must never do: stay silent, or refuse without saying when to come back. */
async function send(server: ServerProcess, ledger: SharedLedger, { kind, path, init, done }: Request): Promise<Reply> {
  const signal = AbortSignal.timeout(RESPONSE_WITHIN_MS);
  try {
    const response = await fetch(server.url + path, { redirect: "manual", signal, ...init });
    const { status, headers } = response;
    const text = await response.text();
    if (status === 503 && !(Number(headers.get("retry-after")) >= 1))
      ledger.faults.push(`${kind}: 503 without Retry-After`);
    if (![done, 503].includes(status)) ledger.faults.push(`${kind}: ${status} ${text}`);
    note(ledger, kind, status);
    return { status, text, location: headers.get("location") ?? "" };
  } catch {
    if (signal.aborted) ledger.faults.push(`${kind}: no response within ${RESPONSE_WITHIN_MS} ms`);
    note(ledger, kind, 0);
    return { status: 0, text: "", location: "" };
  }
}

function note(ledger: SharedLedger, kind: Kind, status: number): void {
  ledger.statuses.set(`${kind} ${status}`, ledger.count(kind, status) + 1);
}

const postJson = (body: unknown, headers: Record<string, string>): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});
const AS_A_PERSON = { "user-agent": BROWSER };

/** Ids of up to four offers; none when the process did not serve them. */
async function askOffers(server: ServerProcess, ledger: SharedLedger, query?: string): Promise<string[]> {
  const visit = ledger.visits++;
  const user = `visitor-${visit % VISITORS}`;
  const body = { query: query ?? QUERIES[visit % QUERIES.length], user_id: user, limit: 4 };
  const init = postJson(body, { "x-svc-api-key": server.keys.server });
  const { status, text } = await send(server, ledger, { kind: "offers", path: "/api/v1/offers", init, done: 200 });
  if (status !== 200) return [];
  const ids = (JSON.parse(text) as { offers: { id: string }[] }).offers.map(({ id }) => id);
  for (const id of ids) {
    ledger.served.add(id);
    ledger.servedBy.set(id, server);
  }
  ledger.offersOf.set(user, [...(ledger.offersOf.get(user) ?? []), ...ids]);
  return ids;
}

async function sendReport(server: ServerProcess, ledger: SharedLedger, ids: readonly string[]): Promise<void> {
  for (const id of ids) if (!ledger.seen.has(id)) ledger.openReports.add(id);
  const init = postJson({ ids }, AS_A_PERSON);
  const path = "/api/v1/impressions/batch";
  const { status } = await send(server, ledger, { kind: "report", path, init, done: 204 });
  if (status !== 204) return;
  for (const id of ids) {
    ledger.openReports.delete(id);
    ledger.seen.add(id);
  }
}

/** The click id that the visitor carries on; undefined when there is none. */
async function sendClick(server: ServerProcess, ledger: SharedLedger, id: string): Promise<string | undefined> {
  if (!ledger.clickIds.has(id)) ledger.openClicks.add(id);
  const path = `/api/v1/clicks/${id}`;
  const init = { headers: AS_A_PERSON };
  const { status, location } = await send(server, ledger, { kind: "click", path, init, done: 302 });
  if (status === 503 && ledger.servedBy.get(id) === server) ledger.faults.push("click: 503 where the offer was served");
  if (status !== 302) return undefined;
  const clickId = /svc_click_id=([0-9a-f]{32})/.exec(location)?.[1];
  // Redirected and not counted: the disk takes nothing.
  if (clickId === undefined) return undefined;
  ledger.openClicks.delete(id);
  ledger.clickIds.set(id, (ledger.clickIds.get(id) ?? new Set()).add(clickId));
  return clickId;
}

async function sendOrder(
  server: ServerProcess,
  ledger: SharedLedger,
  order: { id: string; clickId: string },
): Promise<void> {
  const { id, clickId } = order;
  if (!ledger.orders.has(id)) ledger.openOrders.set(id, clickId);
  const body = { order_id: id, click_id: clickId, value_micros: ORDER_VALUE_MICROS };
  const init = postJson(body, { authorization: `Bearer ${server.keys.live}` });
  const { status } = await send(server, ledger, { kind: "order", path: "/api/v1/conversions", init, done: 201 });
  if (status !== 201) return;
  ledger.openOrders.delete(id);
  ledger.orders.set(id, clickId);
}

/** Visitors of both processes side by side while `act` runs; everything that they do reaches both at the same time. */
export async function whileVisited(world: SharedWorld, ledger: SharedLedger, act: () => Promise<void>): Promise<void> {
  const orders = { left: ORDERS_MAX };
  let isOver = false;
  const caller = async (number: number) => {
    for (let round = number; !isOver; round++) await oneVisit(world, ledger, { round, orders });
  };
  const visits = Promise.all(Array.from({ length: CALLERS }, (_, i) => caller(i)));
  try {
    await act();
  } finally {
    isOver = true;
    await visits;
  }
}

/** Resolves when so many more impressions and clicks are acknowledged. */
export async function progress(ledger: SharedLedger, more = 100): Promise<void> {
  const size = () => ledger.seen.size + ledger.clickIds.size;
  const [before, target] = [new Map(ledger.statuses), size() + more];
  const missing = () => `${target - size()} of ${more} events are missing: ${JSON.stringify(ledger.since(before))}`;
  await eventually(() => size() >= target, SETTLED_WITHIN_MS).catch((cause: unknown) => {
    throw new Error(missing(), { cause });
  });
}

/** Offers of both processes for one query, `count` or a few more, that nobody has reported or clicked yet. */
export async function gatherOffers(
  world: SharedWorld,
  ledger: SharedLedger,
  [query, count]: [string, number],
): Promise<string[]> {
  const ids: string[] = [];
  await eventually(async () => {
    for (const web of world.webs) ids.push(...(await askOffers(web, ledger, query)));
    return ids.length >= count;
  }, SETTLED_WITHIN_MS);
  return ids;
}

/** Sends one half to each process at the same time, so that both claim at once what is left of a budget, then all of it to the other one. */
export async function sendToBoth(
  { webs }: SharedWorld,
  ledger: SharedLedger,
  { reports, clicks }: { reports: readonly string[]; clicks: readonly string[] },
): Promise<void> {
  for (const shift of [0, 1]) {
    const halves = webs.map((web, i) => {
      const isOwn = (_: string, at: number) => (at + shift) % 2 === i;
      const own = clicks.filter(isOwn).map((id) => sendClick(web, ledger, id));
      return Promise.all([sendReport(web, ledger, reports.filter(isOwn)), ...own]);
    });
    await Promise.all(halves);
  }
}

async function oneVisit(
  world: SharedWorld,
  ledger: SharedLedger,
  { round, orders }: { round: number; orders: { left: number } },
): Promise<void> {
  const [near, far] = round % 2 === 0 ? world.webs : [world.webs[1], world.webs[0]];
  const ids = await askOffers(near, ledger);
  await look();
  const [first] = ids;
  const clicks = async () => {
    if (first === undefined) return;
    const [here, there] = await Promise.all([sendClick(near, ledger, first), sendClick(far, ledger, first)]);
    if (here !== undefined && here === there) ledger.agreed.push(here);
  };
  const order = async () => {
    const clickId = ledger.agreed[round % Math.max(1, ledger.agreed.length)];
    if (clickId === undefined || orders.left-- <= 0) return;
    const id = randomUUID();
    await Promise.all([near, far].map((web) => sendOrder(web, ledger, { id, clickId })));
  };
  const reports = ids.length > 0 ? [near, far].map((web) => sendReport(web, ledger, ids)) : [];
  await Promise.all([...reports, clicks(), order()]);
}

/** What callers do when everything is back: they send again what was never acknowledged, to the other process too. */
export async function sendAllAgain(world: SharedWorld, ledger: SharedLedger): Promise<void> {
  let round = 0;
  await eventually(async () => {
    const web = world.webs[round++ % 2 === 0 ? 1 : 0];
    const reports = [...ledger.openReports];
    for (let at = 0; at < reports.length; at += 256) await sendReport(web, ledger, reports.slice(at, at + 256));
    for (const id of ledger.openClicks) await sendClick(web, ledger, id);
    for (const [id, clickId] of ledger.openOrders) await sendOrder(web, ledger, { id, clickId });
    return ledger.openReports.size + ledger.openClicks.size + ledger.openOrders.size === 0;
  }, SETTLED_WITHIN_MS);
}

/** Proves that every acknowledged event of both processes counts exactly once, in ClickHouse, in the sums and in the money. */
export async function expectExactly(world: SharedWorld, ledger: SharedLedger): Promise<void> {
  expect(ledger.faults).toEqual([]);
  await caughtUp(world, SETTLED_WITHIN_MS);
  const idsIn = async (table: string, where = "1"): Promise<string[]> =>
    (await world.rows("clickhouse", `SELECT offer_id FROM ${table} WHERE ${where}`)).map((row) => String(row.offer_id));
  expectOnce(await idsIn("offers"), ledger.served);
  const impressions = await idsIn("impressions", COUNTED);
  expectOnce(impressions, ledger.seen);
  expect(impressions.length).toBe(ledger.seen.size);
  const clicks = await world.rows("clickhouse", `SELECT offer_id, click_id FROM clicks WHERE ${COUNTED}`);
  expectOnce(
    clicks.map((row) => String(row.offer_id)),
    new Set(ledger.clickIds.keys()),
  );
  expect(clicks.length).toBe(ledger.clickIds.size);
  const foreign = clicks.filter((row) => !ledger.clickIds.get(String(row.offer_id))?.has(String(row.click_id)));
  expect(foreign, "counted under a click id that no visitor carries").toEqual([]);
  await expectOrders(world, ledger);
  await expectSums(world);
  await expectBudgets(world);
}

async function expectOrders(world: SharedWorld, { orders }: SharedLedger): Promise<void> {
  const kept = await world.rows(
    "postgres",
    "SELECT order_id, click_id, attribution FROM conversions ORDER BY order_id",
  );
  const sent = [...orders].map(([order_id, click_id]) => ({ order_id, click_id, attribution: "click" }));
  expect(kept).toEqual(sent.sort((a, b) => (a.order_id < b.order_id ? -1 : 1)));
  const [counted] = await world.rows(
    "clickhouse",
    "SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(order_id)) AS orders, toUInt32(sum(sign * value_micros) / 1000000) AS units FROM conversions",
  );
  expect(counted).toEqual({ rows: orders.size, orders: orders.size, units: orders.size });
}

/** No campaign spent more than its budget, by either account of the money. */
async function expectBudgets(world: SharedWorld): Promise<void> {
  const overspent = await world.rows(
    "postgres",
    `SELECT c.name, c.total_budget_micros * 1000 AS budget, spent.nanos::text AS spent, billed.nanos::text AS billed
     FROM campaigns c,
       LATERAL (SELECT coalesce(sum(nanos), 0) AS nanos FROM campaign_spend WHERE campaign_id = c.id) spent,
       LATERAL (SELECT coalesce(sum(charge_nanos), 0) AS nanos FROM ledger WHERE campaign_id = c.id) billed
     WHERE greatest(spent.nanos, billed.nanos) > c.total_budget_micros * 1000 OR spent.nanos <> billed.nanos`,
  );
  expect(overspent).toEqual([]);
}

/** The most offers of one capped campaign that any visitor was handed. */
export async function mostHanded(world: SharedWorld, { offersOf }: SharedLedger): Promise<number> {
  const rows = await world.rows(
    "postgres",
    "SELECT o.id::text, o.campaign_id FROM offers o JOIN campaigns c ON c.id = o.campaign_id WHERE c.caps <> '[]'::jsonb",
  );
  const campaignOf = new Map(rows.map(({ id, campaign_id }) => [String(id), String(campaign_id)]));
  const counts = [...offersOf.values()].flatMap((ids) => {
    const campaigns = ids.flatMap((id) => campaignOf.get(id) ?? []);
    return [...new Set(campaigns)].map((one) => campaigns.filter((other) => other === one).length);
  });
  return Math.max(0, ...counts);
}
