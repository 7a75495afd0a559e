import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { createBackup } from "../../server/operators/backup/create-backup";
import { chatUpstream } from "../factories/chat-upstream";
import { fileFolder } from "../factories/file-folder";
import { type Caller, useObjects, useUpstream } from "../factories/used-secrets";
import { makeEmptyPlace, startProcess } from "../scenarios/crash/server-process";

/** Every value begins with it; nothing else has it. */
const MARK = `Mk${randomBytes(12).toString("hex")}`;
/** In the names of secrets, which may be seen: what is searched is searched in earnest if it is found there. */
const SEEN = `Seen${randomBytes(12).toString("hex")}`;
const rootDir = path.resolve(import.meta.dirname, "../..");

/** Base64 depends on where the value begins in the encoded text; the characters at its edges on what is beside it. */
const inBase64 = [0, 1, 2].map((before) => {
  const text = Buffer.concat([Buffer.alloc(before), Buffer.from(MARK)]).toString("base64");
  return text.slice(before === 0 ? 0 : 4, -4);
});
const hex = Buffer.from(MARK).toString("hex");
const needles = [MARK, ...inBase64, hex, hex.toUpperCase()];

const received: string[] = [];
let log = "";
const base = fileFolder("svc-leak-");
const place = await makeEmptyPlace();
place.env = { LOG_LEVEL: "trace" };
const server = await startProcess(place);
for (const stream of [server.child.stdout, server.child.stderr]) {
  stream?.on("data", (chunk) => {
    log += chunk;
  });
}
const receiver = createServer((incoming, outgoing) => {
  incoming.on("data", (chunk) => received.push(String(chunk)));
  incoming.on("end", () => outgoing.end());
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
const upstream = await chatUpstream();
afterAll(async () => {
  await server?.stop();
  receiver?.close();
  await upstream?.close();
  place?.remove();
});

/** Every answer but those that are asked for a value. */
const answers: string[] = [];
const JSON_TYPE = { "content-type": "application/json" };

async function call(
  method: string,
  where: string,
  { body, raw, headers = {}, isShown }: Sent = {},
): Promise<HttpResult> {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const all = { authorization: `Bearer ${server.keys.live}`, ...JSON_TYPE, ...headers };
  const response = await fetch(`${server.url}${where}`, {
    method,
    headers: Object.entries(all).filter(([, text]) => text !== ""),
    ...(content !== undefined && { body: content }),
  });
  const text = await response.text();
  if (!isShown) answers.push(JSON.stringify([[...response.headers], text]));
  return { status: response.status, text, headers: response.headers };
}
interface Sent {
  body?: unknown;
  raw?: string;
  /** Empty: the header is left out. */
  headers?: Record<string, string>;
  /** The answer has a secret. */
  isShown?: boolean;
}
interface HttpResult {
  status: number;
  text: string;
  headers: Headers;
}

/** The demo's own key may not reveal. */
async function revealingKey(): Promise<string> {
  const scopes = ["secrets", "storage", "gateway"].flatMap((noun) => [`${noun}:read`, `${noun}:write`]);
  scopes.push("secrets:reveal", "webhooks:write", "audit:read");
  const { text } = await procedure("createKey", { name: "leak", scopes, mode: "live" });
  return (JSON.parse(text) as { result: { data: { key: string } } }).result.data.key;
}

let cookie = "";
const procedure = (name: string, input: unknown): Promise<HttpResult> =>
  call("POST", `/api/trpc/${name}`, { body: input, headers: { cookie, origin: server.url, authorization: "" } });

const value = (more = ""): string => `${MARK}${more}${randomBytes(4).toString("hex")}`;
let names = 0;
const name = (): string => `${SEEN}.${++names}`;

/** Stores values in every way, and asks for errors while they are at hand. */
async function storeEverywhere(key: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}` };
  const as = (more: Record<string, string> = {}) => ({ ...headers, ...more });
  const put = (where: string, body: object) => call("PUT", `/v1/secrets/${where}`, { headers, body });
  const { port } = receiver.address() as AddressInfo;
  const hook = { name: "leak", url: `http://127.0.0.1:${port}/`, events: ["*"] };
  const webhook = await call("POST", "/v1/webhooks", { headers, body: hook, isShown: true });
  expect(webhook.status).toBe(201);
  const kept = name();
  expect((await put(kept, { value: value() })).status).toBe(200);
  expect((await put(kept, { value: value("x".repeat(20_000)) })).status).toBe(200);
  expect((await put(name(), { value: value(), tenant: true })).status).toBe(200);
  const once = { body: { name: name(), value: value() }, headers: as({ "idempotency-key": randomUUID() }) };
  const first = await call("POST", "/v1/secrets", once);
  expect([first.status, (await call("POST", "/v1/secrets", once)).text]).toEqual([201, first.text]);
  expect((await call("POST", "/v1/secrets", { ...once, body: { ...once.body, value: value() } })).status).toBe(422);
  expect((await call("POST", "/v1/secrets", { headers, body: once.body })).status).toBe(409);
  expect((await procedure("createSecret", { name: name(), value: value(), mode: "live" })).status).toBe(200);
  const doomed = name();
  expect((await procedure("putSecret", { name: doomed, value: value(), mode: "live" })).status).toBe(200);
  await call("DELETE", `/v1/secrets/${doomed}`, { headers });
  for (const wrong of [
    ...[{ x: value() }, [value()], value("y".repeat(70_000))].map((one) => ({ value: one })),
    { value: value(), mode: value() },
    { value: value(), surprise: value() },
    { value: `${value()}\0` },
  ]) {
    expect((await put(kept, wrong)).status).toBeGreaterThanOrEqual(400);
    expect((await procedure("putSecret", { name: kept, ...wrong })).status).toBeGreaterThanOrEqual(400);
  }
  for (const raw of [`{"value":"${value()}`, `${value()}`, `{"value":"${value()}"}}`]) {
    expect((await call("PUT", `/v1/secrets/${kept}`, { headers, raw })).status).toBe(400);
    const typed = as({ "content-type": "text/plain" });
    expect((await call("PUT", `/v1/secrets/${kept}`, { headers: typed, raw })).status).toBe(415);
  }
  expect(
    (await call("PUT", `/v1/secrets/${kept}`, { headers: { authorization: "" }, body: { value: value() } })).status,
  ).toBe(401);
  await call("GET", "/v1/secrets", { headers });
  await call("GET", `/v1/secrets/${kept}`, { headers });
  return [kept, (JSON.parse(webhook.text) as { secret: string }).secret];
}

/** Reveals a value, then makes the server fail while it decrypts one. */
async function reveal(key: string, kept: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const revealed = await call("GET", `/v1/secrets/${kept}/value`, { headers, isShown: true });
  expect(revealed.text).toContain(MARK);
  expect(revealed.headers.get("cache-control")).toBe("no-store");
  await server.rows("postgres", "UPDATE secret_versions SET sealed_value = wrapped_key WHERE number = 1");
  expect((await call("GET", `/v1/secrets/${kept}/value?version=1`, { headers })).status).toBe(500);
}

/** Every row of every table, as text. */
async function dump(engine: "postgres" | "clickhouse"): Promise<string> {
  const tables =
    engine === "postgres"
      ? "SELECT schemaname || '.' || quote_ident(tablename) AS t FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
      : "SELECT concat(database, '.`', name, '`') AS t FROM system.tables WHERE database = currentDatabase() AND engine NOT LIKE '%View'";
  const rows: unknown[] = [];
  for (const { t } of await server.rows(engine, tables)) {
    const all = engine === "postgres" ? `SELECT x::text AS x FROM ${t} x` : `SELECT * FROM ${t}`;
    rows.push([t, await server.rows(engine, all)]);
  }
  return JSON.stringify(rows, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one));
}

/** Every file below a folder, decompressed. */
function* filesBelow(folder: string): Generator<[file: string, bytes: Buffer]> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    const bytes = readFile(file);
    yield [file, file.endsWith(".gz") ? gunzipSync(bytes) : bytes];
  }
}
function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    // The engines remove files while they are listed.
    return Buffer.alloc(0);
  }
}

const leaks = (text: string | Buffer): string[] => needles.filter((needle) => text.includes(needle));

it("a value of a secret occurs nowhere in clear, nor do S3 credentials, signatures of URLs and the secret of a webhook", async () => {
  const logIn = { email: server.dashboard.email, password: server.dashboard.password };
  const loggedIn = await call("POST", "/api/trpc/openBrowserSession", { body: logIn, headers: { origin: server.url } });
  cookie = (loggedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const key = await revealingKey();
  const [kept = "", signing = ""] = await storeEverywhere(key);
  const called: Caller = (method, where, { headers, ...sent } = {}) =>
    call(method, where, { headers: { authorization: `Bearer ${key}`, ...headers }, ...sent });
  const sent = name();
  expect((await called("PUT", `/v1/secrets/${sent}`, { body: { value: value() } })).status).toBe(200);
  await useUpstream(called, { upstream, secret: sent });
  expect(upstream.requests.at(-1)?.headers.authorization).toContain(MARK);
  needles.push(...(await useObjects(called, { url: server.url, bucket: SEEN.toLowerCase() })));
  await reveal(key, kept);
  needles.push(signing, signing.slice("whsec_".length));
  for (const kind of ["secret.deleted", "chat_upstream.created", "bucket.created"]) {
    await expect.poll(() => received.join(""), { timeout: 60_000 }).toContain(kind);
  }

  const audit = await call("GET", "/v1/audit?limit=100", { headers: { authorization: `Bearer ${key}` } });
  expect(audit.text).toContain("secret.revealed");
  const folder = path.join(base, "backup");
  const installation = {
    rootDir,
    dataDir: place.dataDir,
    secret: undefined,
    databaseUrl: undefined,
    clickhouseUrl: undefined,
    redisUrl: undefined,
    retentionRawDays: 400,
    retentionRollupDays: 1825,
  };
  await createBackup({ installation, folder, progress: () => undefined } as Parameters<typeof createBackup>[0]);
  await server.rows("postgres", "CHECKPOINT");

  const postgres = await dump("postgres");
  const places: [name: string, text: string, isSeen: boolean][] = [
    ["the tables of PostgreSQL", postgres, true],
    ["the tables of ClickHouse", await dump("clickhouse"), false],
    ["deliveries of webhooks", received.join(""), true],
    // As in S3, the error for a wrong signature tells the caller which one it sent.
    ["answers", answers.join("").replace(/<SignatureProvided>\w+/g, ""), true],
    ["the log", log, false],
  ];
  for (const [what, text, isSeen] of places) {
    expect([what, leaks(text)]).toEqual([what, []]);
    expect([what, text.length > 0 && (!isSeen || text.includes(SEEN))]).toEqual([what, true]);
  }
  expect(postgres).toMatch(/idempotent_answers.*secret_versions.*/s);
  // The failure that was provoked is logged, so the log is that of this server.
  expect(log).toContain("cannot be decrypted");
  for (const bearer of [key, server.keys.live, cookie]) expect(log).not.toContain(bearer);
  for (const from of [folder, place.dataDir]) {
    const found: [file: string, leaked: string[]][] = [];
    let isSeen = false;
    for (const [file, bytes] of filesBelow(from)) {
      const leaked = leaks(bytes);
      if (leaked.length > 0) found.push([file, leaked]);
      isSeen ||= bytes.includes(SEEN);
    }
    expect([from, found, isSeen]).toEqual([from, [], true]);
  }
}, 300_000);
