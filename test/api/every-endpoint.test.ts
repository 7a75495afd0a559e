import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createChannelKey } from "../../server/ads/channels/create-channel-key";
import { setFeedSchedule } from "../../server/ads/feed-schedules/set-feed-schedule";
import { importProducts } from "../../server/ads/products/import-products";
import { listProducts } from "../../server/ads/products/list-products";
import { createApiKey } from "../../server/identity/api-keys/create-api-key";
import { INPUT_LIMITS } from "../../server/kernel/bounded-input";
import { ERROR_STATUS, type ErrorCode } from "../../server/kernel/errors";
import { SCOPES } from "../../server/operation/actor";
import { scopesAllowing } from "../../server/operation/authorize";
import { cloudOpenApi, offersOpenApi } from "../../server/surfaces/http/openapi";
import { offersGroups, orderGroups, platformGroups } from "../../server/surfaces/http/routes";
import { call, makeAdvertiser, makeCampaign, makeChannel, makeCreative } from "../factories/ads";
import type { AdsCtx } from "../factories/ads-ctx";
import { makeTenant, testApp } from "../factories/app";
import { makeInvoice } from "../factories/billing";
import { manage, platformKey, raiseRate, refusalOf, type Sent, send } from "../factories/calls";
import { loggedChat } from "../factories/chat-ledger-scene";
import {
  makeCheckpoint,
  makeReservation,
  makeSandbox,
  makeSharedVolume,
  makeShieldScan,
  makeVolumeSnapshot,
  makeWorkspace,
} from "../factories/cloud-rows";
import { openForFile } from "../factories/open-for-file";
import { idleNode, PodClient } from "../factories/pod-scene";
import { orderRows, platformRows, type Row } from "../factories/rows";
import { StorageClient } from "../factories/storage";

const rows: readonly Row[] = [...platformRows, ...orderRows];

const ENDPOINT = { service: "inference", name: "e", spec: { model: "m", gpu_sku: "H100" } };

/** They need one of several fields. */
const NEED_ONE_OF = /^(createChatBudget|(send|acknowledge|extend|return)(Edge)?Messages)$/;
/** They succeed only while a sandbox or a workspace runs. */
const READ_INSIDE = new Set(["readSandboxFile", "listSandboxFiles", "readWorkspaceFile", "listWorkspaceFiles"]);
/** Parameters of paths that are no ids of objects. */
const NO_IDS: Record<string, string> = { month: "2026-01", version: "1", service: "object", sku: "dlp.gb" };
/** Objects of another tenant that a body can name. */
const NAMED_IN_BODY: Record<string, (ids: Record<string, string>) => object> = {
  createKey: (ids) => ({ project: ids.projects }),
  createWebhook: (ids) => ({ project: ids.projects }),
  createPod: (ids) => ({ project: ids.projects }),
  createSandbox: (ids) => ({ project: ids.projects }),
  createWorkspace: (ids) => ({ project: ids.projects }),
  estimatePod: (ids) => ({ reservation_id: ids.reservations }),
  createQueue: (ids) => ({ dlq: ids.q }),
  presignObject: (ids) => ({ bucket: ids.buckets }),
  createShieldScan: (ids) => ({ bucket: ids.buckets }),
  createFunction: (ids) => ({ project: ids.projects }),
  createEdgeFunction: (ids) => ({ project: ids.projects }),
  createResource: (ids) => ({ project: ids.projects }),
  createSecret: (ids) => ({ project: ids.projects }),
  createChatBudget: (ids) => ({ key_id: ids.keys }),
  updateChatSettings: (ids) => ({ project: ids.projects }),
  createCampaign: (ids) => ({ advertiser_id: ids.advertisers }),
  explainOffers: (ids) => ({ channel_id: ids.channels }),
};

let foreignKey: string;
const keysWithout = new Map<string, string>();

const storageClientOf = (bearer: string) => new StorageClient(test, bearer);

async function oneOfEach(of: AdsCtx): Promise<Record<string, string>> {
  foreignKey = await platformKey(of, { scopes: [...SCOPES] });
  const project = await of.db.project.findFirstOrThrow({ where: { tenantId: of.actor.tenantId } });
  const fields = { name: "k", scopes: ["ads:read"], project: project.id, mode: "live" };
  const apiKey = await createApiKey.run(of, createApiKey.input.parse(fields));
  const channel = await makeChannel(of, { mode: "live" });
  const channelKey = await call(of, createChannelKey, { id: channel.id, kind: "server" });
  const advertiser = await makeAdvertiser(of, { mode: "live" });
  const campaign = await makeCampaign(of, { advertiser_id: advertiser.id, mode: "live" });
  const creative = await makeCreative(of, campaign.id);
  const body = new Blob(['{"id":"sku-1","title":"Boot","link":"https://shop.example/1"}\n']).stream();
  await importProducts.run(of, importProducts.input.parse({ id: campaign.id }), {
    body: body as ReadableStream<Uint8Array>,
  });
  await call(of, setFeedSchedule, { id: campaign.id, url: "https://shop.example/feed.csv" });
  // It waits for memory, so that its output is empty whatever runs pods.
  const pod = await new PodClient(test, foreignKey).create({ image: "alpine", memory_mb: 1_000_000 });
  const madeQueue = await manage(test, "/v1/queues", { key: foreignKey, body: { name: "theirs" } });
  const queue = (await madeQueue.json()) as { id: string };
  const bucket = await storageClientOf(foreignKey).create("a-bucket-of-theirs");
  await storageClientOf(foreignKey).put(bucket.name, "theirs");
  const madeBudget = await manage(test, "/v1/gateway/budgets", {
    key: foreignKey,
    body: { name: "b", tokens: 1, window: "day" },
  });
  const budget = (await madeBudget.json()) as { id: string };
  const request = await loggedChat(test, foreignKey);
  const madeSecret = await manage(test, "/v1/secrets", { key: foreignKey, body: { name: "theirs", value: "v" } });
  const secret = (await madeSecret.json()) as { id: string };
  const fn = await createExample("/v1/functions");
  const webhook = await createExample("/v1/webhooks");
  const begun = await manage(test, `/v1/functions/${fn}/invocations`, { key: foreignKey, body: {} });
  const invocation = (await begun.json()) as { id: string };
  const owner = { tenantId: of.actor.tenantId, projectId: project.id, mode: "live" as const };
  const rid = await makeSharedVolume(of, owner);
  const kvEntry = { key: foreignKey, method: "PUT", body: { value: "v" } };
  await manage(test, "/v1/edge/kv/theirs/keys/theirs", kvEntry);
  const madeEndpoint = await manage(test, "/v1/resources", { key: foreignKey, body: ENDPOINT });
  const { rid: inference } = (await madeEndpoint.json()) as { rid: string };
  await manage(test, "/v1/activations", { key: foreignKey, body: { service: "observe" } });
  const log = { service: "observe", kind: "log", name: "theirs" };
  const { rid: observe } = (await (await manage(test, "/v1/resources", { key: foreignKey, body: log })).json()) as {
    rid: string;
  };
  const madeCluster = await manage(test, "/v1/resources", {
    key: foreignKey,
    body: { service: "cks", name: "c", spec: {} },
  });
  const { rid: clusters } = (await madeCluster.json()) as { rid: string };
  const event = await of.db.event.findFirstOrThrow({ where: { tenantId: of.actor.tenantId, mode: "live" } });
  const tested = await manage(test, `/v1/webhooks/${webhook}/test`, { key: foreignKey, method: "POST" });
  const delivery = (await tested.json()) as { id: string };
  const [product] = (await call(of, listProducts, { id: campaign.id })).data;
  const ids: Record<string, string> = {
    keys: apiKey.id,
    projects: project.id,
    channels: channel.id,
    advertisers: advertiser.id,
    pods: pod.id,
    checkpoint_id: await makeCheckpoint(of, pod.id),
    sandboxes: await makeSandbox(of, { tenantId: of.actor.tenantId, projectId: project.id, mode: "live" }),
    workspaces: await makeWorkspace(of, { tenantId: of.actor.tenantId, projectId: project.id, mode: "live" }),
    scan_id: (await makeShieldScan(of, { tenantId: of.actor.tenantId, projectId: project.id })).id,
    reservations: await makeReservation(of, { tenantId: of.actor.tenantId, projectId: project.id }),
    webhooks: webhook,
    functions: fn,
    "edge/functions": await createExample("/v1/edge/functions"),
    upstreams: await createExample("/v1/gateway/upstreams"),
    delivery_id: delivery.id,
    budget: budget.id,
    request,
    invocation_id: invocation.id,
    namespace: "theirs",
    q: queue.id,
    bucket: bucket.id,
    buckets: bucket.id,
    key: "theirs",
    name: secret.id,
    campaigns: campaign.id,
    key_id: channelKey.id,
    creative_id: creative.id,
    product_id: product?.id ?? "",
    events: event.id,
    rid,
    inference,
    observe,
    clusters,
    snapshot_id: await makeVolumeSnapshot(of, { ...owner, volumeId: rid }),
    invoices: await makeInvoice(of, { tenantId: of.actor.tenantId, mode: "live" }),
    // That of the example.
    model: "gpt-4o-mini",
  };
  for (const noun of missingNouns(ids)) ids[noun] = await createExample(`/v1/${noun}`);
  return ids;
}

/** Creates what a row creates from the needed fields of its example, and returns its id. */
async function createExample(path: string): Promise<string> {
  const row = rows.find((one) => one.method === "POST" && one.path === path);
  if (!row) throw new Error(`there is no row POST ${path}`);
  const response = await manage(test, path, { key: foreignKey, body: neededOf(row) });
  expect([path, response.status]).toEqual([path, 201]);
  return ((await response.json()) as { id: string }).id;
}

/** The nouns whose objects paths name, and which `ids` does not have yet. */
const missingNouns = (ids: Record<string, string>): Set<string> =>
  new Set(
    rows.flatMap(({ path }) => /^\/v1\/(\w+)\/\{id\}/.exec(path)?.slice(1) ?? []).filter((noun) => !(noun in ids)),
  );

interface Case {
  status: number;
  code: ErrorCode;
  /** Why a row cannot get this answer; undefined: it must give it. */
  notFor: (row: Row) => string | undefined;
  sent: (row: Row) => GateQuery | Promise<GateQuery>;
  /** What else the refusal says. */
  says?: (row: Row, error: Awaited<ReturnType<typeof refusalOf>>["error"], headers: Headers) => void;
}
interface GateQuery extends Sent {
  path?: string;
  query?: Record<string, string>;
}

const hasBody = ({ method }: Row): boolean => method === "POST" || method === "PUT" || method === "PATCH";
const readsJson = (row: Row): boolean => hasBody(row) && !row.upload;
/** Whether a path names an object. */
const namesObject = ({ path }: Row): boolean =>
  [...path.matchAll(/\{(\w+)\}/g)].some(([, name = ""]) => !(name in NO_IDS));
const inPath = (row: Row, name: string): boolean => row.path.includes(`{${name}}`);
const fieldsOf = (row: Row): string[] =>
  Object.keys(row.input.shape).filter((name) => !inPath(row, name) && !/^content_(type|encoding)$/.test(name));
const onlyFor = (needed: (row: Row) => boolean, reason: string) => (row: Row) => (needed(row) ? undefined : reason);
const needsKey = onlyFor(({ access }) => access !== "public", "anybody may call it");
/** Those of which one is enough. */
const scopesOf = ({ access }: Row): readonly string[] => (access.includes(":") ? scopesAllowing(access) : []);
const needsJson = onlyFor(readsJson, "it reads no JSON body");

/** A request that the row takes as far as its form goes, about things that do not exist. */
function wellFormed(row: Row): GateQuery {
  if (row.upload) return { raw: "", headers: { "content-type": row.upload[0] ?? "" } };
  if (readsJson(row)) return { body: neededOf(row) };
  return { query: neededOf(row) as Record<string, string> };
}

/** The fields of the row's example without which it refuses a request, except those in its path. */
function neededOf(row: Row): Record<string, unknown> {
  const example = Object.entries(row.example.input as object);
  const isNeeded = (name: string) => NEED_ONE_OF.test(row.id) || !row.input.shape[name]?.safeParse(undefined).success;
  return Object.fromEntries(example.filter(([name]) => fieldsOf(row).includes(name) && isNeeded(name)));
}

/** The first field that refuses a value, and a value that it refuses. */
function wrongField(row: Row): { field: string; value: unknown } | undefined {
  const values = readsJson(row) ? [{ x: 1 }, [[]], true, 0.5, "\u0001"] : ["\u0001", "many", "x".repeat(5000)];
  for (const field of fieldsOf(row)) {
    const value = values.find((one) => !row.input.shape[field]?.safeParse(one).success);
    if (value !== undefined) return { field, value };
  }
  return undefined;
}

async function keyWithout(scopes: readonly string[]): Promise<string> {
  const name = scopes.join(" ");
  if (name === "") return key;
  const known =
    keysWithout.get(name) ?? (await platformKey(ctx, { scopes: SCOPES.filter((one) => !scopes.includes(one)) }));
  keysWithout.set(name, known);
  return known;
}

const test = await openForFile(testApp());
await idleNode(test);
const other = await makeTenant(test);
const ctx = await makeTenant(test);
/** What another tenant has, by the name of its place in paths. */
const foreign = await oneOfEach(other);
await raiseRate(test, ctx.tenantId);
const key = await platformKey(ctx, { scopes: [...SCOPES] });

const CASES: Record<string, Case> = {
  "no key": {
    status: 401,
    code: "unauthorized",
    notFor: needsKey,
    sent: (row) => wellFormed(row),
    says: (_, __, headers) => expect(headers.get("www-authenticate")).toBe("Bearer"),
  },
  "a wrong key": {
    status: 401,
    code: "unauthorized",
    notFor: needsKey,
    sent: (row) => ({ ...wellFormed(row), key: `svc_live_${"a".repeat(48)}` }),
  },
  "a key with every scope but this one": {
    status: 403,
    code: "forbidden",
    notFor: onlyFor((row) => scopesOf(row).length > 0, "it needs no scope"),
    sent: async (row) => ({ ...wellFormed(row), key: await keyWithout(scopesOf(row)) }),
    says: ({ access, errors }, { details, code }) =>
      errors === "openai"
        ? expect(code).toBe("scope_missing")
        : expect(details).toMatchObject({ reason: "scope_missing", scope: scopesAllowing(access)[0] }),
  },
  "an object of another tenant": {
    status: 404,
    code: "not_found",
    notFor: (row) => {
      if (row.id === "putEdgeKvValue") return "a namespace of the name is made in the caller's own project";
      if (row.id === "eraseUser") return "a publisher's user is no object; erasing an unknown one succeeds";
      return namesObject(row) || NAMED_IN_BODY[row.id] ? undefined : "it names no object";
    },
    sent: (row) => {
      const { body, ...rest } = wellFormed(row);
      const named = NAMED_IN_BODY[row.id]?.(foreign);
      return { ...rest, key, path: pathOf(row, foreign), ...(body ? { body: { ...body, ...named } } : {}) };
    },
  },
  "a project that does not exist": {
    status: 404,
    code: "not_found",
    notFor: (row) => {
      if (row.id === "createReservation") return "it looks for free GPUs first";
      return fieldsOf(row).includes("project") ? undefined : "it takes no project";
    },
    sent: (row) => {
      const asked = wellFormed(row);
      if (readsJson(row)) return { key, body: { ...(asked.body as object), project: "prj_none" } };
      return { ...asked, key, query: { ...asked.query, project: "prj_none" } };
    },
  },
  "JSON that is none": {
    status: 400,
    code: "invalid_request",
    notFor: needsJson,
    sent: () => ({ key, raw: "{" }),
  },
  "JSON that is no object": {
    status: 400,
    code: "invalid_request",
    notFor: needsJson,
    sent: () => ({ key, raw: "[]" }),
  },
  "a field of a wrong type": {
    status: 400,
    code: "invalid_request",
    notFor: onlyFor((row) => wrongField(row) !== undefined, "it has no field beside its path, or takes any text"),
    sent: (row) => {
      const { field = "", value } = wrongField(row) ?? {};
      const asked = wellFormed(row);
      if (readsJson(row)) return { key, body: { ...(asked.body as object), [field]: value } };
      return { ...asked, key, query: { ...asked.query, [field]: String(value) } };
    },
    says: (row, { param }) => expect(param?.split(/[.[]/)[0]).toBe(wrongField(row)?.field),
  },
  "a field that nobody knows": {
    status: 400,
    code: "invalid_request",
    notFor: onlyFor(({ input }) => !(input.def.catchall instanceof z.ZodUnknown), "it passes unknown fields on"),
    sent: (row) => {
      const asked = wellFormed(row);
      if (readsJson(row)) return { key, body: { ...(asked.body as object), surprise: 1 } };
      return { ...asked, key, query: { ...asked.query, surprise: "1" } };
    },
    says: (_, { param }) => expect(param).toBe("surprise"),
  },
  "a body that is too large": {
    status: 413,
    code: "payload_too_large",
    notFor: needsJson,
    sent: ({ inputLimits = INPUT_LIMITS }) => ({ key, raw: `{"name":"${"a".repeat(inputLimits.bytes)}"}` }),
  },
  "a body of another media type": {
    status: 415,
    code: "unsupported_media_type",
    notFor: onlyFor(hasBody, "it reads no body"),
    sent: () => ({ key, raw: "name=x", headers: { "content-type": "application/x-www-form-urlencoded" } }),
  },
  "another method": {
    status: 405,
    code: "method_not_allowed",
    notFor: () => undefined,
    sent: ({ path }) => {
      const isPut = rows.some((row) => row.method === "PUT" && row.path === path);
      return { method: isPut ? "PATCH" : "PUT", raw: "{" };
    },
    says: ({ method }, _, headers) => expect(headers.get("allow")?.split(", ")).toContain(method),
  },
  "a path that is none": {
    status: 404,
    code: "not_found",
    notFor: onlyFor(({ path }) => path.startsWith("/v1/"), "what is below it belongs to the offers API"),
    sent: (row) => ({ path: `${pathOf(row, NONE)}/nothing/here` }),
  },
};

/** Ids that nobody has. */
const NONE: Record<string, string> = new Proxy({}, { get: () => "none_0" });

function pathOf(row: Row, ids: Record<string, string>): string {
  return row.path.replaceAll(/\/((?:edge\/)?\w+)\/\{(\w+)\}/g, (_, noun: string, name: string) => {
    // The `rid` of one of these is that of a resource of its own.
    const place = name === "id" || ["inference", "observe", "clusters"].includes(noun) ? noun : name;
    const id = NO_IDS[name] ?? ids[place];
    if (id === undefined) throw new Error(`oneOfEach() makes no ${place} for ${row.path}.`);
    return `/${noun}/${id}`;
  });
}

function ask(row: Row, { path = pathOf(row, NONE), query = {}, key: bearer, ...sent }: GateQuery): Promise<Response> {
  const search = new URLSearchParams(query).toString();
  const target = search ? `${path}?${search}` : path;
  const asked: Sent = { method: row.method, ...sent, headers: { "x-request-id": "every.1", ...sent.headers } };
  if (!row.path.startsWith("/api/")) return manage(test, target, { ...asked, ...(bearer ? { key: bearer } : {}) });
  const authorized = bearer ? { authorization: `Bearer ${bearer}` } : {};
  return send(test, target, { ...asked, headers: { ...asked.headers, ...authorized } });
}

/** The statuses that the OpenAPI documents name, by operation. */
const documented = new Map(
  [cloudOpenApi("", platformGroups), offersOpenApi("", offersGroups, orderGroups)].flatMap((document) =>
    Object.values((document as { paths: Record<string, Record<string, Documented>> }).paths).flatMap((item) =>
      Object.values(item).map(({ operationId, responses }) => [operationId, Object.keys(responses)] as const),
    ),
  ),
);
interface Documented {
  operationId: string;
  responses: object;
}
const answersForNoRow = new Set(["another method", "a path that is none"]);

const RATE_HEADERS = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "ratelimit-policy", "ratelimit"];

describe.each(Object.entries(CASES))("%s", (situation, { status, code, notFor, sent, says }) => {
  const covered = rows.filter((row) => notFor(row) === undefined).map((row) => [row.id, row] as const);
  it.each(covered)(`${status} from %s, in the one shape of errors, with request id and rate`, async (__, row) => {
    const answer = await ask(row, await sent(row));
    const refusal = await refusalOf(answer);
    expect([refusal.status, refusal.error]).toEqual([
      status,
      row.errors === "openai"
        ? {
            message: expect.any(String),
            type: expect.any(String),
            param: refusal.error.param,
            code: expect.any(String),
            request_id: "every.1",
          }
        : expect.objectContaining({ code, message: expect.any(String), request_id: "every.1" }),
    ]);
    expect(ERROR_STATUS[code]).toBe(status);
    if (!answersForNoRow.has(situation)) expect(documented.get(row.id)).toContain(String(status));
    expect(refusal.headers.get("x-request-id")).toBe("every.1");
    expect(refusal.headers.get("content-type")).toBe("application/json");
    expect(refusal.headers.get("cache-control")).toBe("no-store");
    for (const name of RATE_HEADERS) expect([name, refusal.headers.get(name)]).toEqual([name, expect.any(String)]);
    says?.(row, refusal.error, refusal.headers);
  });
});

describe("an object of another tenant", () => {
  const readers = rows.filter((row) => row.method === "GET" && namesObject(row) && !READ_INSIDE.has(row.id));
  it.each(readers.map((row) => [row.id, row] as const))("is there for its owner: 200 from %s", async (_, row) => {
    const answer = await ask(row, { ...wellFormed(row), key: foreignKey, path: pathOf(row, foreign) });
    expect(answer.status).toBe(200);
  });
});

it("no two rows share a name or a place", () => {
  for (const of of [({ id }: Row) => id, ({ method, path }: Row) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`]) {
    expect(new Set(rows.map(of)).size).toBe(rows.length);
  }
});

it("every POST that answers 201 takes an Idempotency-Key, but reporting an order, which its order_id makes safe", () => {
  const without = rows.filter(({ status, idempotent }) => status === 201 && !idempotent);
  expect(without.map(({ id }) => id)).toEqual(["reportConversion"]);
});
