import { describe, expect, it } from "vitest";
import { FETCH_LIMITS } from "../../server/ads/feed-schedules/fetch-limits";
import { appRouter, createAppCaller } from "../../server/surfaces/trpc/router";
import { accountScene, ONE_PRODUCT } from "../factories/account-scene";
import { streamOf } from "../factories/ads";
import { TEST_REQUEST, type TestApp, testApp, uncountedPipeline } from "../factories/app";
import { manage, platformKey } from "../factories/calls";
import type { Change, Prepared } from "../factories/changes/change";
import { CHANGES } from "../factories/changes/changes";
import { expectEvent } from "../factories/events";
import { openForFile } from "../factories/open-for-file";
import { idleNode } from "../factories/pod-scene";
import { orderRows, platformRows } from "../factories/rows";

/** They need a node that runs pods, or a Kubernetes: pods.test.ts, sandboxes.test.ts, workspaces.test.ts and clusters.test.ts have their entries. */
const CHECKED_ELSEWHERE = [
  "execPod",
  "createSandbox",
  "execSandbox",
  "writeSandboxFile",
  "execWorkspace",
  "createWorkspace",
  "startWorkspace",
  "writeWorkspaceFile",
  "moveWorkspaceFile",
  "deleteWorkspaceFile",
  "createWorkspaceFolder",
  "createResource",
  "startInstance",
  "createClusterKubeconfig",
  // It needs a node: own-nodes.test.ts.
  "reportNodeEvent",
];

/** What changes nothing that a tenant keeps, or is recorded elsewhere, and why; everything else leaves an entry. */
const UNRECORDED: Readonly<Record<string, string>> = {
  explainOffers: "decides without serving anything",
  estimatePod: "decides without reserving anything",
  reportConversion: "an order is an event: the ledger of conversions keeps it",
  refreshSession: "carries a log-in on; only a token used twice is recorded",
  createChatCompletion: "a request changes nothing; the log of chat requests has it",
  createEmbedding: "as createChatCompletion",
  createInferenceCompletion: "as createChatCompletion",
  requestChatAnswer: "as createChatCompletion",
  sendMessages: "a message is no setting; queues have millions of them",
  sendEdgeMessages: "as sendMessages",
  receiveMessages: "a receive is no setting; queues have millions of them",
  receiveEdgeMessages: "as receiveMessages",
  acknowledgeMessages: "as receiveMessages",
  extendMessages: "as receiveMessages",
  returnMessages: "as receiveMessages",
  acknowledgeEdgeMessages: "as receiveMessages",
  extendEdgeMessages: "as receiveMessages",
  returnEdgeMessages: "as receiveMessages",
  putEdgeKvValue: "a key is no setting; namespaces have thousands of them",
  deleteEdgeKvKey: "as putEdgeKvValue",
  invokeFunction: "a call is no setting; functions have millions of them",
  createFunctionInvocation: "as invokeFunction",
  deleteObject: "objects are no settings; buckets have millions of them",
  restoreObject: "as deleteObject",
  updateObjectLock: "as deleteObject",
  deleteObjects: "as deleteObject",
  presignObject: "signs a URL; the default bucket that it may create is recorded",
  resendVerification: "sends a letter again",
  requestPasswordReset: "answers before it knows the account; the job that writes the letter records it",
};

const changing = new Set([...platformRows, ...orderRows].filter(({ isSafe }) => !isSafe).map(({ id }) => id));
const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
const mutations = new Set(Object.keys(procedures).filter((id) => procedures[id]?._def.type === "mutation"));

const tokens = async () => {
  const advertisers = await t.app.ads.db.advertiser.findMany({ select: { domainToken: true } });
  return advertisers.map(({ domainToken }) => domainToken);
};
const t: TestApp = await openForFile(
  testApp({
    // What is recorded in the background would be among what a change leaves.
    rounds: "manual",
    domainSources: { records: tokens, file: async () => "" },
    // A new schedule is fetched at once, and a fetch under way refuses the request for another one.
    feedFetchLimits: { ...FETCH_LIMITS, fetchesMax: 0 },
  }),
);
await idleNode(t);
const scene = await accountScene(t);

/** The actions of the audit entries and the events that a call records, for any tenant. */
async function recordedBy(act: () => Promise<unknown>) {
  const { db } = t.engines;
  const before = new Set((await db.auditEntry.findMany({ select: { id: true } })).map(({ id }) => id));
  const last = await db.event.findFirst({ orderBy: { sequence: "desc" } });
  keepSecretsOf(await act());
  const after = await db.auditEntry.findMany({ orderBy: [{ at: "asc" }, { sequence: "asc" }] });
  const events = await db.event.findMany({
    where: { sequence: { gt: last?.sequence ?? 0n } },
    orderBy: { sequence: "asc" },
  });
  return { actions: after.filter(({ id }) => !before.has(id)).map(({ action }) => action), events };
}

/** What operations took and returned once, and nothing may tell again. */
const secrets = new Set<string>();
/** Tokens that prove a domain: public, but not for events. */
const domainTokens = new Set<string>();

function keepSecretsOf(value: unknown, kept = secrets): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, one] of Object.entries(value)) {
    if (/^(key|secret|token|secret_access_key)$/.test(name) && typeof one === "string") kept.add(one);
    keepSecretsOf(one, name === "domain_verification" ? domainTokens : kept);
  }
}

/** Prepares a change, makes it, and compares what it records with what is declared of it. */
async function check({ actions, events = [], prepare }: Change, change: (prepared: Prepared) => Promise<unknown>) {
  const prepared = await prepare(scene, t);
  keepSecretsOf(prepared.input);
  const recorded = await recordedBy(() => change(prepared));
  expect(recorded.actions).toEqual(actions);
  expect(recorded.events.map(({ type }) => type)).toEqual(events);
  const { tenantId } = scene.owner.actor;
  const marks = prepared.marks ?? { mode: "live", projectId: null };
  for (const event of recorded.events) expectEvent(event, { tenantId, ...marks });
}

/** Runs a row's verb as its surface would. */
async function runRow(id: string, { input = {}, as = scene.owner, cookies }: Prepared): Promise<unknown> {
  const row = platformRows.find((one) => one.id === id);
  if (!row) throw new Error(`there is no row ${id}`);
  const told = row.upload ? { ...input, content_type: "application/x-ndjson" } : input;
  const browser = cookies === undefined ? {} : { browser: { cookies, origin: undefined } };
  const tenants = { find: () => Promise.reject(new Error("a change asks the database, not the cache")) };
  const ctx = { ...as, tenants, request: { ...TEST_REQUEST, ...browser } };
  return row.run(ctx as never, row.input.parse(told) as never, row.upload ? { body: streamOf(ONE_PRODUCT) } : {});
}

/** Calls a mutation as the dashboard would. */
async function callMutation(id: string, { input = {}, as = scene.owner }: Prepared): Promise<unknown> {
  const isUpload = id === "importProducts";
  const upload = isUpload ? { "x-svc-campaign": String(input.id) } : {};
  const caller: unknown = createAppCaller({
    session: as.session,
    pipeline: uncountedPipeline(t),
    request: { ...TEST_REQUEST, isForwarded: false },
    requestHeaders: new Headers({ "sec-fetch-site": "same-origin", ...upload }),
    responseHeaders: new Headers(),
    onCounted: () => undefined,
    publicOrigin: t.config.publicUrl,
  });
  const { [id]: call } = caller as Record<string, (input: unknown) => Promise<unknown>>;
  if (!call) throw new Error(`there is no procedure ${id}`);
  return call(isUpload ? streamOf(ONE_PRODUCT) : input);
}

it("every endpoint that is not safe, and every mutation, is listed here once", () => {
  const listed = [...CHANGES.map(({ operation }) => operation), ...Object.keys(UNRECORDED), ...CHECKED_ELSEWHERE];
  expect(listed.sort()).toEqual([...new Set([...changing, ...mutations])].sort());
});

describe("an entry, and the declared events with their data, are left by", () => {
  it.each(CHANGES.filter(({ operation }) => changing.has(operation)))(
    "the endpoint of $operation: $actions",
    (change) => check(change, (prepared) => runRow(change.operation, prepared)),
  );

  it.each(CHANGES.filter(({ operation }) => mutations.has(operation)))("the mutation $operation: $actions", (change) =>
    check(change, (prepared) => callMutation(change.operation, prepared)),
  );
});

it("no event and no entry has a secret", async () => {
  expect(secrets.size).toBeGreaterThan(10);
  expect(domainTokens.size).toBeGreaterThan(0);
  const told = async (query: string) =>
    (await t.engines.sql.query<{ text: string }>(query)).rows.map((row) => row.text);
  const events = await told("SELECT data::text AS text FROM events");
  const entries = await told("SELECT concat(actor, targets, context, details) AS text FROM audit_entries");
  expect(events.length).toBeGreaterThan(50);
  expect(entries.length).toBeGreaterThan(CHANGES.length);
  const having = (texts: string[], kept: Iterable<string>) =>
    texts.filter((text) => [...kept].some((secret) => text.includes(secret)));
  expect(having(events, [...secrets, ...domainTokens])).toEqual([]);
  expect(having(entries, secrets)).toEqual([]);
  const named = /token=hidden|svc_(live|test)_[a-z2-7]{48}|"(hash|secret|password|key)": ?"/i;
  expect(entries.filter((text) => named.test(text))).toEqual([]);
  const inEvents = /token=hidden|svc_(live|test)_[a-z2-7]{48}|"(token|hash|secret|password|key)":/i;
  expect(events.filter((text) => inEvents.test(text))).toEqual([]);
});

describe("the log", () => {
  it("is read and verified by a key with the scope audit:read, and by no other", async () => {
    const read = async (path: string, key: string) => {
      const answer = await manage(t, path, { key });
      return { status: answer.status, body: await answer.json() };
    };
    const { tenantId } = scene.owner.actor;
    const entries = await t.engines.db.auditEntry.count({ where: { tenantId } });
    const [key, other] = [await platformKey(scene.owner, { scopes: ["audit:read"] }), await platformKey(scene.owner)];
    const newest = { action: "api_key.created", actor: { name: scene.owner.session.user.email } };
    expect(await read("/v1/audit?limit=1", key)).toMatchObject({ status: 200, body: { data: [newest] } });
    const verdict = { valid: true, entries: entries + 2, first_bad_sequence: null };
    expect(await read("/v1/audit/verify", key)).toMatchObject({ status: 200, body: verdict });
    for (const path of ["/v1/audit", "/v1/audit/verify"]) expect((await read(path, other)).status).toBe(403);
  });
});
