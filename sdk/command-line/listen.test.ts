import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type WebhookEvent, webhooks } from "../webhooks";
import type { Io } from "./io";
import { main } from "./main";

const KEY = `svc_test_${"a".repeat(48)}`;
const KINDS = ["campaign.created", "campaign.updated", "key.created"];
const eventOf = (n: number, type = "campaign.created"): WebhookEvent => ({
  id: `evt_${String(n).padStart(3, "0")}`,
  type,
  created_at: "2027-01-15T08:00:00.000Z",
  tenant_id: "ten_1",
  project_id: null,
  mode: "test",
  data: { n, name: "Grüße 👋" },
});

const servers: Server[] = [];
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(respond: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(respond);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A svc with these events, whose state a test may change; `status` is that of every response while it is not 200. */
async function fakeSvc(events: WebhookEvent[]) {
  const state = { events, status: 200, asked: [] as string[] };
  const url = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://svc");
    state.asked.push(`${pathname}${searchParams.size > 0 ? `?${searchParams}` : ""}`);
    response.setHeader("content-type", "application/json");
    const page = (data: unknown[]): void => void response.end(JSON.stringify({ data, next_cursor: null }));
    if (state.status !== 200) {
      const error = { code: state.status === 401 ? "unauthorized" : "unavailable", message: "No.", request_id: "r" };
      return void response.writeHead(state.status).end(JSON.stringify({ error }));
    }
    if (pathname === "/v1/events/kinds") return page(KINDS.map((type) => ({ type })));
    const limit = Number(searchParams.get("limit"));
    if (searchParams.get("order") === "desc") return page(state.events.toReversed().slice(0, limit));
    const after = searchParams.get("after") ?? "";
    page(state.events.filter(({ id }) => id > after).slice(0, limit));
  });
  return { url, state };
}

interface Delivered {
  path: string;
  body: string;
  headers: IncomingHttpHeaders;
}

/** A program of the reader that receives webhooks, and responds with these statuses in turn. */
async function receiver(statuses: number[] = []) {
  const got: Delivered[] = [];
  const url = await serve(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    got.push({ path: request.url ?? "", body, headers: request.headers });
    response.writeHead(statuses.shift() ?? 200).end("thank you");
  });
  return { url, got, ids: () => got.map(({ body }) => JSON.parse(body).id as string) };
}

/** Starts the command; it polls without a pause, and `end` is Ctrl-C. */
function start(svc: string, argv: string[], input = "") {
  const said = { out: "", err: "" };
  const stop = new AbortController();
  const io: Io = {
    stdout: { write: (text) => (said.out += text) },
    stderr: { write: (text) => (said.err += text) },
    env: { SVC_API_KEY: KEY, SVC_BASE_URL: svc },
    ask: async () => input,
    input: () => new Blob([]).stream(),
    hostname: "laptop",
    interruption: () => ({ stop: stop.signal, kill: new AbortController().signal }),
    timing: {
      sleep: (_ms, signal) =>
        new Promise((resolve, reject) => setImmediate(() => (signal?.aborted ? reject(signal.reason) : resolve()))),
    },
  };
  const done = main(["webhooks", "listen", ...argv], io);
  const end = (): Promise<number> => {
    stop.abort();
    return done;
  };
  ends.push(end);
  return { said, done, end, started: () => expect.poll(() => said.err).toContain("Forwarding ") };
}

const secretIn = (text: string): string => /The signing secret is (whsec_\S+)/.exec(text)?.[1] ?? "";

describe("svc webhooks listen", () => {
  it("forwards what happens from now on, in order, signed like a delivery, until Ctrl-C", async () => {
    const svc = await fakeSvc([eventOf(1), eventOf(2)]);
    const shop = await receiver();
    const command = start(svc.url, ["--forward", `${shop.url}/hooks?a=1`]);
    await command.started();
    svc.state.events.push(...Array.from({ length: 250 }, (_, n) => eventOf(n + 3)));
    await expect.poll(shop.ids).toHaveLength(250);
    expect(shop.ids()).toEqual(svc.state.events.slice(2).map(({ id }) => id));
    const secret = secretIn(command.said.err);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    for (const { body, headers, path } of shop.got) {
      expect(path).toBe("/hooks?a=1");
      expect(headers["content-type"]).toBe("application/json");
      const event = await webhooks.verify(body, headers, secret);
      expect(headers["webhook-id"]).toBe(event.id);
      const { "x-svc-signature": _s, "x-svc-timestamp": _t, ...standard } = headers;
      expect(await webhooks.verify(body, standard, secret)).toEqual(svc.state.events.find(({ id }) => id === event.id));
    }
    expect(await command.end()).toBe(0);
    const lines = command.said.out.trim().split("\n");
    expect(lines).toHaveLength(250);
    expect(lines[0]).toMatch(/^2027-01-15T08:00:00.000Z {2}200 {2}\d+ ms {2}campaign.created {2}evt_003$/);
    expect(command.said.out + command.said.err.replace(secret, "")).not.toContain(secret);
  });

  it("begins with the first event of an account that has none", async () => {
    const svc = await fakeSvc([]);
    const shop = await receiver();
    const command = start(svc.url, ["--forward", shop.url]);
    await command.started();
    svc.state.events.push(eventOf(1));
    await expect.poll(shop.ids).toEqual(["evt_001"]);
  });

  it("sends each event once and goes on, whatever comes back", async () => {
    const svc = await fakeSvc([]);
    const shop = await receiver([500, 302, 410]);
    const command = start(svc.url, ["--forward", shop.url]);
    await command.started();
    svc.state.events.push(...[1, 2, 3, 4].map((n) => eventOf(n)));
    await expect.poll(() => command.said.out.trim().split("\n")).toHaveLength(4);
    expect(shop.ids()).toEqual(["evt_001", "evt_002", "evt_003", "evt_004"]);
    const statuses = command.said.out
      .trim()
      .split("\n")
      .map((line) => line.split("  ")[1]);
    expect(statuses).toEqual(["500", "302", "410", "200"]);
  });

  it("says so when nothing listens at the URL", async () => {
    const svc = await fakeSvc([]);
    const closed = await receiver();
    servers.pop()?.close();
    const command = start(svc.url, ["--forward", closed.url]);
    await command.started();
    svc.state.events.push(eventOf(1), eventOf(2));
    await expect.poll(() => command.said.out.match(/ECONNREFUSED/g)).toHaveLength(2);
    expect(await command.end()).toBe(0);
  });

  it("waits for a svc that does not respond, says so once, and misses nothing", async () => {
    const svc = await fakeSvc([eventOf(1)]);
    const shop = await receiver();
    const command = start(svc.url, ["--forward", shop.url]);
    await command.started();
    svc.state.status = 503;
    const askedBefore = svc.state.asked.length;
    await expect.poll(() => svc.state.asked.length).toBeGreaterThan(askedBefore + 5);
    svc.state.events.push(eventOf(2));
    svc.state.status = 200;
    await expect.poll(shop.ids).toEqual(["evt_002"]);
    expect(command.said.err.match(/will be forwarded when svc responds again/g)).toHaveLength(1);
    expect(command.said.err.match(/svc responds again\.\n$/g)).toHaveLength(1);
  });

  it("ends with the status of the failure when svc rejects the key, at the start and later", async () => {
    const svc = await fakeSvc([]);
    const later = start(svc.url, ["--forward", "4000"]);
    await later.started();
    svc.state.status = 401;
    expect(await later.done).toBe(3);
    expect(await start(svc.url, ["--forward", "4000"]).done).toBe(3);
    svc.state.status = 503;
    expect(await start(svc.url, ["--forward", "4000"]).done).toBe(4);
  });

  it("forwards only the kinds that were asked for, and prints them as JSON", async () => {
    const svc = await fakeSvc([]);
    const shop = await receiver();
    const argv = ["--forward", shop.url, "--events", "campaign.*", "--events=key.created", "--print-json"];
    const command = start(svc.url, argv);
    await command.started();
    const wanted = [eventOf(1, "campaign.updated"), eventOf(3, "key.created")];
    svc.state.events.push(
      ...[wanted[0], eventOf(2, "project.created"), wanted[1]].filter((event) => event !== undefined),
    );
    await expect.poll(shop.ids).toEqual(["evt_001", "evt_003"]);
    await command.end();
    expect(
      command.said.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(wanted);
    expect(command.said.err).toContain("campaign.updated  evt_001\n");
  });

  it("signs with a secret from standard input, which it does not print", async () => {
    const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
    const svc = await fakeSvc([]);
    const shop = await receiver();
    const command = start(svc.url, ["--forward", shop.url, "--secret", "-"], `${secret}\n`);
    await command.started();
    svc.state.events.push(eventOf(1));
    await expect.poll(shop.ids).toHaveLength(1);
    const [delivered] = shop.got;
    expect(await webhooks.verify(delivered?.body ?? "", delivered?.headers ?? {}, secret)).toEqual(eventOf(1));
    expect(command.said.out + command.said.err).not.toContain("whsec_");
  });

  it.each([
    [["--forward", "example.com/hooks"], "--forward: example.com is not this computer; add --allow-remote"],
    [["--forward", "http://127.0.0.1.example.com"], "is not this computer"],
    [["--forward", "http://10.0.0.1:4000"], "is not this computer"],
    [
      ["--forward", "ftp://localhost"],
      '--forward: it must be an address such as localhost:4000/path, not "ftp://localhost"',
    ],
    [["--forward", "localhost:99999"], "--forward: it must be an address"],
    [["--forward", "http://user:pass@localhost"], "without a user name and password"],
    [[], "--forward is missing"],
    [["--forward", "4000", "--secret", "whsec_c2VjcmV0"], "--secret: it must be -, to read the secret"],
    [["--forward", "4000", "--secret", "-"], "secret must be the secret of a webhook"],
    [["--forward", "4000", "--events", "campain.*"], 'there is no kind "campain.*"; did you mean "campaign.*"?'],
    [["--forward", "4000", "--events", "keys.created"], 'there is no kind "keys.created"; did you mean "key.created"?'],
    [["--forwrd", "4000"], 'Unknown flag --forwrd; did you mean "forward"?'],
  ])("%j is rejected, and nothing is forwarded", async (argv, words) => {
    const svc = await fakeSvc([]);
    const command = start(svc.url, argv, "c2VjcmV0");
    expect(await command.done).toBe(2);
    expect(command.said.err).toContain(words);
    expect(command.said.err).not.toContain("c2VjcmV0");
  });

  it.each(["4000", ":4000", "localhost:4000", "http://localhost:4000", "https://[::1]:4000/a", "http://app.localhost"])(
    "--forward %s names this computer",
    async (target) => {
      const svc = await fakeSvc([]);
      const command = start(svc.url, ["--forward", target]);
      await command.started();
      expect(await command.end()).toBe(0);
    },
  );

  it("may forward to another computer if told to", async () => {
    const svc = await fakeSvc([]);
    const command = start(svc.url, ["--forward", "app.test:4000", "--allow-remote"]);
    await command.started();
    expect(command.said.err).toContain("to http://app.test:4000/");
  });
});
