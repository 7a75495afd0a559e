import { execFile } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { seedAccount } from "../../server/identity/seed-account";
import { createHttpServer } from "../../server/surfaces/http/create-server";
import { served, type TestApp, testApp } from "../factories/app";
import { sdkProject, shellOf } from "./sdk-project";

type Sdk = typeof import("../../sdk/platform-client");
type Client = ReturnType<Sdk["createPlatformClient"]>;
/** Answers in the place of svc, or undefined to let it answer. */
type Fault = (request: Request, pass: () => Promise<Response>) => Promise<Response> | undefined;

const rootDir = path.resolve(import.meta.dirname, "../..");
const OWNER = { email: "owner@svc.example", password: "correct horse battery staple" };
const UNKNOWN_KEY = `svc_test_${"a".repeat(48)}`;
const PRODUCTS = "id,title,description,link,price\np1,Boots,Warm boots,https://shop.example/p1,10.00 EUR\n";

let test: TestApp;
let server: Server;
let baseUrl: string;
let project: Awaited<ReturnType<typeof sdkProject>>;
let sdk: Sdk;
let key: string;
let client: Client;
let svc: ReturnType<typeof shellOf>;
let fault: Fault | undefined;
/** What arrived at svc, in order. */
const seen: { method: string; path: string; headers: Headers }[] = [];

beforeAll(async () => {
  [test, project] = await Promise.all([testApp(), sdkProject(rootDir)]);
  const http = createHttpServer({
    tls: undefined,
    publicUrl: test.config.publicUrl,
    allowedHosts: [],
    log: { error: () => undefined, info: () => undefined },
  });
  const direct = ["/v1/", "/api/"].map((prefix) => ({ path: prefix, answer }));
  http.serve({ direct, pages: (_, outgoing) => void outgoing.end(), clientAddress: () => "127.0.0.1" });
  server = http.server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const seeded = await seedAccount(test.app.account, { ...OWNER, tenantName: "Boots & Co", isDemo: false });
  key = seeded.keys?.test ?? "";
  sdk = await import(pathToFileURL(path.join(project.dir, "node_modules/@svc/sdk/dist/platform-client.js")).href);
  client = sdk.createPlatformClient({ baseUrl, key });
  svc = shellOf(project.dir, { HOME: project.dir, SVC_BASE_URL: baseUrl });
});
afterAll(async () => {
  server?.close().closeAllConnections();
  await test?.stop();
  await project?.remove();
});
afterEach(() => {
  fault = undefined;
  seen.length = 0;
});

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  seen.push({ method: request.method, path: pathname, headers: request.headers });
  const surface = pathname.startsWith("/api/") ? test.app.offers : test.app.platform;
  const pass = () => surface.fetch(request, { address: "127.0.0.1" });
  return fault?.(request, pass) ?? pass();
}

const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { code, message: "No.", request_id: "req_1" } }, { status, headers });

/** Refuses the first requests so, and lets the others pass. */
function refuseFirst(times: number, make: () => Response): void {
  fault = () => (times-- > 0 ? Promise.resolve(make()) : undefined);
}

async function errorOf(call: Promise<unknown>): Promise<InstanceType<Sdk["SvcError"]>> {
  const failure: unknown = await call.catch((error: unknown) => error);
  if (!(failure instanceof sdk.SvcError)) throw new Error(`expected an SvcError, got ${String(failure)}`);
  return failure;
}

/** A client that does not wait, and the pauses that it would have made. */
function hasty(options: Partial<Parameters<Sdk["createPlatformClient"]>[0]> = {}) {
  const pauses: number[] = [];
  const timing = { random: () => 0.5, sleep: async (ms: number) => void pauses.push(ms) };
  return { pauses, client: sdk.createPlatformClient({ baseUrl, key, timing, ...options }) };
}

describe("the installed client", () => {
  it("creates, reads, changes and archives, with the types of the API", async () => {
    const made = await client.projects.create({ name: "Summer" });
    expect(await client.projects.get({ id: made.id })).toMatchObject({ name: "Summer" });
    expect(await client.projects.update({ id: made.id, name: "Autumn" })).toMatchObject({ name: "Autumn" });
    expect(await client.projects.delete({ id: made.id })).toBeUndefined();
    expect((await errorOf(client.projects.get({ id: made.id }))).code).toBe("not_found");
  });

  it("walks a list page by page", async () => {
    for (const n of [1, 2, 3, 4, 5]) await client.advertisers.create({ name: `Shop ${n}` });
    seen.length = 0;
    const names: string[] = [];
    for await (const { name } of client.advertisers.list({ limit: 2 })) names.push(name);
    expect(names.sort()).toEqual(["Shop 1", "Shop 2", "Shop 3", "Shop 4", "Shop 5"]);
    expect(seen).toHaveLength(3);
    const page = await client.advertisers.list({ limit: 2 }).page();
    expect(page).toMatchObject({ data: [{}, {}], next_cursor: expect.stringMatching(/^cur_/) });
  });

  it("says which field is wrong, and never repeats the key", async () => {
    const wrong = await errorOf(client.advertisers.list({ limit: 5000 }).page());
    expect(wrong).toMatchObject({ status: 400, code: "invalid_request", param: "limit", name: "SvcError" });
    expect(wrong.requestId).toBe(seen[0]?.headers.get("x-request-id"));
    const stranger = sdk.createPlatformClient({ baseUrl, key: UNKNOWN_KEY });
    const refused = await errorOf(stranger.tenants.get());
    expect(refused).toMatchObject({ status: 401, code: "unauthorized" });
    expect(JSON.stringify(refused) + refused.stack).not.toContain("aaaa");
    expect(() => sdk.createPlatformClient({ baseUrl, key: "svc_live_oops" })).toThrow(/^key must be a platform key/);
  });

  it("makes one resource when the answer to a create was lost", async () => {
    fault = (_request, pass) => {
      fault = undefined;
      // svc has done its work when the connection breaks.
      return pass().then(() => {
        server.closeAllConnections();
        return new Promise<Response>(() => undefined);
      });
    };
    const { client: patient, pauses } = hasty();
    const made = await patient.projects.create({ name: "Once" });
    expect(pauses).toEqual([250]);
    const keys = seen.map(({ headers }) => headers.get("idempotency-key"));
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    const all: string[] = [];
    for await (const { id, name } of client.projects.list()) if (name === "Once") all.push(id);
    expect(all).toEqual([made.id]);
  });

  it("waits as long as Retry-After says, and grows its pauses where nothing is said", async () => {
    refuseFirst(1, () => refusal(429, "rate_limited", { "Retry-After": "7" }));
    const limited = hasty();
    await limited.client.tenants.get();
    expect(limited.pauses).toEqual([7250]);
    refuseFirst(3, () => refusal(503, "unavailable"));
    const busy = hasty();
    await busy.client.tenants.get();
    expect(busy.pauses).toEqual([250, 500, 1000]);
  });

  it("does not ask again for what a quota forbids, or what might happen twice", async () => {
    refuseFirst(9, () => refusal(429, "quota_exceeded"));
    const { client: limited, pauses } = hasty();
    expect(await errorOf(limited.projects.create({ name: "More" }))).toMatchObject({ code: "quota_exceeded" });
    refuseFirst(9, () => refusal(503, "unavailable"));
    const visitor = hasty({ channelKey: `svc_srv_${"a".repeat(48)}` }).client;
    expect(await errorOf(visitor.offers.serve({ query: "boots" }))).toMatchObject({ code: "unavailable" });
    expect([pauses, seen.length]).toEqual([[], 2]);
  });

  it("gives up after its time, when it is told to, and when nobody is there", async () => {
    fault = () => new Promise<Response>(() => undefined);
    const late = client.tenants.get({}, { timeoutMs: 50, retries: 0 });
    expect(await errorOf(late)).toMatchObject({ code: "timeout", status: 0, requestId: expect.stringMatching(/-/) });
    const stop = new AbortController();
    const asked = client.tenants.get({}, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("enough")), 20);
    await expect(asked).rejects.toThrow("enough");
    const { client: lost, pauses } = hasty({ baseUrl: "http://127.0.0.1:1" });
    expect(await errorOf(lost.tenants.get())).toMatchObject({ code: "network", status: 0 });
    expect(pauses).toHaveLength(3);
  });

  it("uploads a feed and serves an offer from it", async () => {
    const { campaign, channelKey } = await shop();
    const result = await client.products.import({ id: campaign, content_type: "text/csv", body: PRODUCTS });
    expect(result).toMatchObject({ accepted: 1, rejected: 0 });
    const publisher = sdk.createPlatformClient({ baseUrl, channelKey });
    await served(test, channelKey);
    expect(await publisher.offers.serve({ query: "warm boots" })).toMatchObject({ offers: [{ title: "Boots" }] });
    expect(await client.reports.get({ format: "csv" })).toMatch(/^[a-z_]+,/);
  });
});

/** A campaign and a channel's server key. */
async function shop(): Promise<{ campaign: string; channelKey: string }> {
  const advertiser = await client.advertisers.create({ name: "Boots" });
  const campaign = await client.campaigns.create({
    advertiser_id: advertiser.id,
    name: "Warm",
    model: "cpc",
    bid_micros: 500_000,
  });
  const channel = await client.channels.create({ name: "Blog" });
  const { key: channelKey } = await client.channelKeys.create({ id: channel.id, kind: "server" });
  return { campaign: campaign.id, channelKey };
}

describe("the installed command line", () => {
  const asKey = () => ({ env: { SVC_API_KEY: key } });

  it("makes a key in the form of the specification, which then works", async () => {
    const made = await svc(
      ["keys", "create", "--name", "ci", "--project", "default", "--scopes", "ads:read,projects:read", "--json"],
      asKey(),
    );
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const { key: fresh, scopes } = JSON.parse(made.stdout) as { key: string; scopes: string[] };
    expect(scopes).toEqual(["ads:read", "projects:read"]);
    const listed = await svc(["projects", "list"], { env: { SVC_API_KEY: fresh } });
    expect(listed.stdout).toMatch(/^ID +NAME +.*\nprj_/);
    const refused = await svc(["projects", "create", "--name", "q"], { env: { SVC_API_KEY: fresh } });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/code +forbidden \(403\)\n(.*\n)* +request +[\w-]+/);
  });

  it("pages through everything with --all, as one envelope", async () => {
    const all = await svc(["advertisers", "list", "--limit", "2", "--all", "--json"], asKey());
    const { data, next_cursor } = JSON.parse(all.stdout) as { data: unknown[]; next_cursor: null };
    expect([data.length > 2, next_cursor]).toEqual([true, null]);
    const first = await svc(["advertisers", "list", "--limit=2"], asKey());
    expect(first.stdout.trim().split("\n")).toHaveLength(3);
    expect(first.stderr).toMatch(/--all, or --cursor cur_/);
  });

  it("imports a feed from a file and from a pipe, and says how much it sent", async () => {
    const { campaign } = await shop();
    writeFileSync(path.join(project.dir, "feed.csv"), PRODUCTS);
    const sent = await svc(["products", "import", campaign, "feed.csv"], asKey());
    expect(sent).toMatchObject({ code: 0, stderr: expect.stringMatching(/sent \d+ B of \d+ B \(100 %\), .*\/s/) });
    expect(sent.stdout).toMatch(/accepted +1/);
    const piped = ["products", "import", campaign, "-", "--content-type", "text/csv"];
    expect(await svc(piped, { ...asKey(), input: PRODUCTS })).toMatchObject({ code: 0 });
  });

  it("learns why a feed is refused while it is still being sent", async () => {
    writeFileSync(path.join(project.dir, "big.csv"), PRODUCTS.repeat(300_000));
    const { code, stderr } = await svc(["products", "import", "cmp_none", "big.csv"], {
      env: { SVC_API_KEY: UNKNOWN_KEY },
    });
    expect([code, stderr.includes("unauthorized (401)")]).toEqual([3, true]);
  });

  it("ends with a status of its own for each kind of failure", async () => {
    const nobody = { env: { SVC_API_KEY: key, SVC_BASE_URL: "http://127.0.0.1:1" } };
    const stranger = { env: { SVC_API_KEY: UNKNOWN_KEY } };
    const run = async (args: string[], typing = asKey()) => (await svc(args, typing)).code;
    expect(await run(["projects", "get", "prj_none"])).toBe(1);
    // The one command that needs a library, which is in the packed file.
    refuseFirst(1, () => refusal(409, "conflict"));
    expect((await svc(["pods", "shell", "pod_1"], asKey())).stderr).toMatch(/^svc: No\.\n {2}code +conflict \(409\)/);
    expect(await run(["projects", "get"])).toBe(2);
    expect(await run(["tenants", "get"], stranger)).toBe(3);
    expect(await run(["tenants", "get"], { env: {} as { SVC_API_KEY: string } })).toBe(3);
    expect(await run(["offers", "serve"], nobody)).toBe(3);
    refuseFirst(1, () => refusal(429, "quota_exceeded"));
    expect(await run(["projects", "list"])).toBe(5);
    // More than it would wait in all.
    refuseFirst(1, () => refusal(429, "rate_limited", { "Retry-After": "900" }));
    const limited = await svc(["projects", "list", "--json"], asKey());
    expect(limited.code).toBe(5);
    expect(JSON.parse(limited.stderr)).toMatchObject({ error: { code: "rate_limited", retry_after: 900 } });
    expect(await run(["tenants", "get", "--retries=0"], nobody)).toBe(4);
  });

  it("logs in by password, keeps a key that only its owner reads, and revokes it at the end", async () => {
    const typed = { input: `${OWNER.email}\n${OWNER.password}\n` };
    expect(await svc(["login"], typed)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Logged in at/) });
    const file = path.join(project.dir, ".config/svc/credentials.json");
    const kept = readFileSync(file, "utf8");
    expect([statSync(file).mode & 0o777, kept.includes(OWNER.password)]).toEqual([0o600, false]);
    expect((await svc(["login"], typed)).code).toBe(0);
    const { key: first } = JSON.parse(kept) as { key: string };
    expect((await svc(["whoami"], { env: { SVC_API_KEY: first } })).code).toBe(3);
    const who = await svc(["whoami"]);
    expect(who).toMatchObject({ code: 0, stdout: expect.stringMatching(/tenant +Boots & Co/) });
    const { key: fresh } = JSON.parse(readFileSync(file, "utf8")) as { key: string };
    expect(who.stdout).not.toContain(fresh);
    expect(await svc(["logout"])).toMatchObject({ code: 0, stdout: "Logged out; the key was revoked.\n" });
    expect((await svc(["whoami"])).code).toBe(3);
    expect((await svc(["whoami"], { env: { SVC_API_KEY: fresh } })).code).toBe(3);
  });

  it.skipIf(!existsSync("/bin/bash"))("completes what is typed into bash", async () => {
    const bin = path.join(project.dir, "node_modules/.bin");
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    const words = "COMP_WORDS=(svc keys ro); COMP_CWORD=2; _svc; echo $COMPREPLY";
    const args = ["-c", `source <(svc completion bash); ${words}`];
    expect((await promisify(execFile)("/bin/bash", args, { env })).stdout).toBe("rotate\n");
  });

  it.skipIf(!existsSync("/bin/zsh"))("completes what is typed into zsh", async () => {
    const bin = path.join(project.dir, "node_modules/.bin");
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    // Outside the line editor `compadd` is not available, so a function prints what it would offer.
    const stubs = "compdef() { :; }; compadd() { shift; print -l -- $@; }";
    const program = `${stubs}; source <(svc completion zsh); words=(svc keys ro); CURRENT=3; _svc`;
    expect((await promisify(execFile)("/bin/zsh", ["-fc", program], { env })).stdout).toBe("rotate\n");
  });

  it.skipIf(!existsSync("/usr/bin/fish"))("completes what is typed into fish", async () => {
    const bin = path.join(project.dir, "node_modules/.bin");
    const env = { ...process.env, HOME: project.dir, PATH: `${bin}:${process.env.PATH}` };
    const program = "svc completion fish | source; complete -C 'svc keys ro'";
    expect((await promisify(execFile)("/usr/bin/fish", ["-c", program], { env })).stdout).toBe("rotate\n");
  });

  it("keeps a given key only when svc takes it, and refuses a file that others can read", async () => {
    const file = path.join(project.dir, ".config/svc/credentials.json");
    rmSync(file, { force: true });
    expect((await svc(["login", "--key", UNKNOWN_KEY])).code).toBe(3);
    expect((await svc(["login"], { input: `${OWNER.email}\nwrong\n` })).code).toBe(3);
    expect(() => statSync(file)).toThrow();
    expect((await svc(["login", "--key", "-"], { input: `${key}\n` })).code).toBe(0);
    chmodSync(file, 0o644);
    const open = await svc(["whoami"]);
    expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining(`chmod 600 ${file}`) });
    expect(open.stderr).not.toContain(key);
    chmodSync(file, 0o600);
    const elsewhere = await svc(["whoami", "--base-url", "https://other.example"]);
    expect(elsewhere).toMatchObject({ code: 3, stderr: expect.stringMatching(/not at https:\/\/other\.example/) });
  });
});
