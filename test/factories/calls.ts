import { createApiKey } from "../../server/identity/api-keys/create-api-key";
import { setQuota } from "../../server/identity/quotas/set-quota";
import { newId } from "../../server/kernel/ids";
import type { Mode, Scope } from "../../server/operation/actor";
import type { AdsCtx } from "./ads-ctx";
import { eventually, type TestApp } from "./app";

const BASE_URL = "http://localhost:3000";
/** Not a loopback address, so rate limits apply to it. */
export const FAR_AWAY = "203.0.113.7";

/** The user agent of a browser that a person uses. */
export const BROWSER =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36";
/** A plausible time for a person between an offer and a click. */
export const LOOKS_FOR_MS = 600;

export interface Sent {
  method?: string;
  key?: string;
  /** As JSON. */
  body?: unknown;
  /** As it is. */
  raw?: BodyInit;
  headers?: Record<string, string>;
  address?: string;
}

/** A request to the offers API; with `body` a POST in JSON, otherwise a GET. */
export function send({ app }: TestApp, path: string, sent: Sent = {}): Promise<Response> {
  const { address = "127.0.0.1", key, headers: given = {} } = sent;
  const headers = { "user-agent": BROWSER, ...given };
  const keyed = key === undefined ? headers : { "x-svc-api-key": key, ...headers };
  return app.offers.fetch(requestOf(path, { ...sent, headers: keyed }), { address });
}

/** A request to the platform API under a bearer token. */
export function manage({ app }: TestApp, path: string, { key, headers = {}, ...sent }: Sent = {}): Promise<Response> {
  const { address = "127.0.0.1" } = sent;
  const authorized = key === undefined ? headers : { authorization: `Bearer ${key}`, ...headers };
  return app.platform.fetch(requestOf(path, { ...sent, headers: authorized }), { address });
}

function requestOf(path: string, { method, body, raw, headers = {} }: Sent): Request {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return new Request(`${BASE_URL}${path}`, {
    method: method ?? (content === undefined ? "GET" : "POST"),
    headers: { ...(content === undefined ? {} : { "content-type": "application/json" }), ...headers },
    redirect: "manual",
    ...(content === undefined ? {} : { body: content, duplex: "half" }),
  });
}

export interface ServedOffer {
  id: string;
  clickUrl: string;
  [field: string]: unknown;
}

export interface Served {
  offers: ServedOffer[];
  reason?: string;
}

/** POSTs a body to get offers and marks them as viewed; fails the test if the status is not 200. */
export async function offersFor(test: TestApp, key: string, { headers = {}, ...body }: OfferAsk = {}): Promise<Served> {
  const response = await send(test, "/api/v1/offers", { key, body: { query: "warm boots", ...body }, headers });
  if (response.status !== 200) throw new Error(`offers returned ${response.status}: ${await response.text()}`);
  test.clock.advance(LOOKS_FOR_MS);
  return (await response.json()) as Served;
}

export type OfferAsk = Record<string, unknown> & { headers?: Record<string, string> };

/** One offer for a matching query. */
export async function oneOffer(test: TestApp, key: string, ask: OfferAsk = {}): Promise<ServedOffer> {
  const [offer] = (await offersFor(test, key, ask)).offers;
  if (!offer) throw new Error("no offer was served");
  return offer;
}

/** Follows a click without following its redirect. */
export const click = (test: TestApp, id: string, sent: Sent = {}): Promise<Response> =>
  send(test, `/api/v1/clicks/${id}`, sent);

export const reportIds = (test: TestApp, ids: unknown, sent: Sent = {}): Promise<Response> =>
  send(test, "/api/v1/impressions/batch", { body: { ids }, ...sent });

export interface EventRow {
  offer_id: string;
  traffic: string;
  [column: string]: unknown;
}

/** The rows in ClickHouse about some offers. */
export async function eventsOf({ engines }: TestApp, table: string, offerIds: readonly string[]): Promise<EventRow[]> {
  const found = await engines.clickhouse.query({
    query: `SELECT * FROM ${table} WHERE offer_id IN {ids:Array(UUID)} ORDER BY at`,
    query_params: { ids: offerIds },
    format: "JSONEachRow",
  });
  return found.json<EventRow>();
}

/** The rows about some offers, as soon as there are `count` of them; fails if there are more. */
export async function arrived(
  test: TestApp,
  table: string,
  { ids, count }: { ids: readonly string[]; count: number },
): Promise<EventRow[]> {
  let rows: EventRow[] = [];
  await eventually(async () => {
    rows = await eventsOf(test, table, ids);
    return rows.length >= count;
  });
  if (rows.length !== count) throw new Error(`expected ${count} rows of ${table}, found ${rows.length}`);
  return rows;
}

/** Resolves when everything that was accepted is in ClickHouse: nothing waits in Postgres or the write-ahead file. */
export const caughtUp = ({ engines }: TestApp): Promise<void> =>
  eventually(async () => {
    const { rows } = await engines.sql.query<{ waiting: bigint }>(
      "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM outbox_slices) AS waiting",
    );
    return rows[0]?.waiting === 0n && engines.wal.waitingBytes === 0;
  }, 60_000);

/** A platform key of a tenant, by default in a project of its own. */
export async function platformKey(
  ctx: AdsCtx,
  { scopes = ["ads:read", "ads:write"], mode = "live", project }: NewKey = {},
): Promise<string> {
  const input = createApiKey.input.parse({
    name: "Test key",
    scopes,
    mode,
    project: project ?? (await newProject(ctx)),
  });
  return (await createApiKey.run(ctx, input)).key;
}

interface NewKey {
  scopes?: Scope[];
  mode?: Mode;
  /** The id of a project. */
  project?: string;
}

/** The id of a new project of a tenant. */
export async function newProject({ actor: { tenantId }, clock, db }: AdsCtx): Promise<string> {
  const createdAt = clock.now();
  const id = newId("prj", createdAt.getTime());
  await db.project.create({ data: { id, tenantId, name: "Default", createdAt } });
  return id;
}

/** Raises the limits of a tenant with many requests, as an operator does. */
export const raiseRate = ({ app }: TestApp, tenantId: string, limit = 600_000): Promise<unknown> =>
  setQuota(app.account, { tenant_id: tenantId, resource: "requests_per_minute", limit });

export interface Refusal {
  status: number;
  headers: Headers;
  error: { code: string; message: string; request_id: string; param?: string; retry_after?: number; details?: object };
}

/** The error of a response, in the common shape of errors. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const { error } = (await response.json()) as { error: Refusal["error"] };
  return { status: response.status, headers: response.headers, error };
}
