import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../../sdk/command-line/main";
import { createPlatformClient } from "../../sdk/platform-client";
import { webhooks } from "../../sdk/webhooks";
import { makeTenant, testApp } from "../factories/app";
import { platformKey, raiseRate } from "../factories/calls";
import { fileFolder } from "../factories/file-folder";
import { openForFile } from "../factories/open-for-file";
import { QueueClient } from "../factories/queues";

const BASE = "http://localhost:3000";

const folder = fileFolder("svc-loops-");

const test = await openForFile(testApp());
const ctx = await makeTenant(test);
await raiseRate(test, ctx.tenantId);
const key = await platformKey(ctx, { scopes: ["queues:read", "queues:write", "webhooks:read", "projects:write"] });
const queues = new QueueClient(test, key);

/** Types a line at the real svc; `stop` is Ctrl-C. */
function type(argv: readonly string[]) {
  const said = { out: "", err: "" };
  const [stop, kill] = [new AbortController(), new AbortController()];
  const done = main(argv, {
    stdout: { write: (text) => (said.out += text) },
    stderr: { write: (text) => (said.err += text) },
    env: { SVC_API_KEY: key, SVC_BASE_URL: BASE, PATH: process.env.PATH },
    ask: async () => "",
    input: () => new Blob([]).stream(),
    hostname: "laptop",
    interruption: () => ({ stop: stop.signal, kill: kill.signal }),
    fetch: (url, init) =>
      url.startsWith(`${BASE}/v1/`)
        ? test.app.platform.fetch(new Request(url, init), { address: "127.0.0.1" })
        : fetch(url, init),
  });
  const end = (): Promise<number> => {
    stop.abort();
    return done;
  };
  return { said, done, end };
}

const figuresOf = async (queue: string): Promise<unknown> =>
  (await queues.call<{ figures: object }>(`/queues/${queue}`)).body.figures;
const EMPTY = { waiting: 0, delayed: 0, in_flight: 0, oldest_age_s: null };

/** A command that writes its message to a file, and fails for the body "bad". */
function recorder(name: string) {
  const file = path.join(folder, name);
  const program = `
    const fs = require("node:fs"), input = fs.readFileSync(0, "utf8");
    fs.appendFileSync(process.argv[1], JSON.stringify({ input, group: process.env.SVC_GROUP_ID, count: process.env.SVC_RECEIVE_COUNT }) + "\\n");
    process.exitCode = input === "bad" ? 1 : 0;`;
  const seen = () =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { input: string; group?: string; count: string });
  return { argv: ["--", process.execPath, "-e", program, file], seen };
}

describe("numbers of messages", () => {
  const BODY = '{"n":9007199254740993,"m":[18446744073709551615,0.1000000000000000055511151231257827]}';
  const printed = async (...argv: string[]) => {
    const { done, said } = type(argv);
    expect([await done, said.err]).toEqual([0, ""]);
    return said.out;
  };

  it("are sent and printed by the command line as they were written, and passed to commands so", async () => {
    await queues.create("exact");
    await printed("queues", "send", "exact", "--body", BODY);
    await printed("queues", "send", "exact", "--data", `{"body":${BODY}}`);
    const received = await printed("queues", "receive", "exact", "--max-messages", "1", "--json");
    expect(received.replace(/\s/g, "")).toContain(`"body":${BODY}`);
    const { receipt } = (JSON.parse(received) as { data: { receipt: string }[] }).data[0] ?? {};
    await printed("queues", "acknowledge", "exact", "--receipt", String(receipt));
    // As a table.
    expect(await printed("queues", "receive", "exact")).toContain("9007199254740993");
  });

  it("are passed to the commands of a consumer as they were written", async () => {
    await queues.create("consumed");
    await printed("queues", "send", "consumed", "--body", BODY);
    const program = recorder("exact");
    const { done } = type(["queues", "consume", "consumed", "--once", ...program.argv]);
    expect([await done, program.seen()[0]?.input]).toEqual([0, BODY]);
  });

  it("are integers of any size for programs with the SDK", async () => {
    await Promise.all(["sdk", "plain"].map((name) => queues.create(name)));
    const call = (url: string, init: RequestInit) =>
      test.app.platform.fetch(new Request(url, init), { address: "127.0.0.1" });
    const { queues: client } = createPlatformClient({ baseUrl: BASE, key, fetch: call });
    const body = { n: 9007199254740993n, small: 9007199254740991, m: [18446744073709551615n, -9007199254740993n, 1.5] };
    await client.send({ q: "sdk", body });
    expect((await client.receive({ q: "sdk" })).data[0]?.body).toEqual(body);
    const { queues: plain } = createPlatformClient({ baseUrl: BASE, key, fetch: call, parseJson: JSON.parse });
    await plain.send({ q: "plain", body });
    expect((await plain.receive({ q: "plain" })).data[0]?.body).toMatchObject({
      n: 2 ** 53,
      m: [2 ** 64, -(2 ** 53), 1.5],
    });
  });
});

describe("svc queues consume, at a real svc", () => {
  it("empties a queue, group by group in order", async () => {
    await queues.create("orders");
    const bodies = [{ n: 1 }, "two", { n: 3 }, "four", { n: 5 }, "six"];
    await queues.send("orders", ...bodies.map((body, n) => ({ body, group_id: n % 2 ? "odd" : "even" })));
    const program = recorder("orders");
    const { done, said } = type(["queues", "consume", "orders", "--once", "--concurrency", "2", ...program.argv]);
    expect([await done, said.err.match(/^acknowledged /gm)?.length]).toEqual([0, 6]);
    const inputsOf = (group: string) =>
      program
        .seen()
        .filter((one) => one.group === group)
        .map(({ input }) => input);
    expect(inputsOf("even")).toEqual(['{"n":1}', '{"n":3}', '{"n":5}']);
    expect(inputsOf("odd")).toEqual(["two", "four", "six"]);
    expect(await figuresOf("orders")).toEqual(EMPTY);
  });

  it("runs a message that fails again, until it is in the dead-letter queue, ahead of later ones", async () => {
    await queues.create("dead");
    await queues.create("jobs", { dlq: "dead", max_receives: 2 });
    await queues.send("jobs", { body: "bad" }, { body: "good" });
    const program = recorder("jobs");
    const argv = ["queues", "consume", "jobs", "--once", "--retry-delay", "0", "--quiet", ...program.argv];
    const { done, said } = type(argv);
    expect([await done, said.err.match(/^returned .*exit status 1 {2}receive \d$/gm)?.length]).toEqual([1, 2]);
    expect(program.seen().map(({ input, count }) => input + count)).toEqual(["bad1", "bad2", "good1"]);
    expect([await figuresOf("jobs"), await figuresOf("dead")]).toEqual([
      EMPTY,
      expect.objectContaining({ waiting: 1 }),
    ]);
  });

  it("waits for messages, and ends on Ctrl-C without holding any", async () => {
    await queues.create("later");
    const program = recorder("later");
    const command = type(["queues", "consume", "later", ...program.argv]);
    await expect.poll(() => command.said.err).toContain("Waiting for messages");
    await queues.send("later", { body: "first" });
    await expect.poll(() => command.said.err).toContain("acknowledged ");
    expect(await command.end()).toBe(0);
    await queues.send("later", { body: "second" });
    await expect.poll(() => figuresOf("later")).toMatchObject({ waiting: 1, in_flight: 0 });
    expect(program.seen()).toHaveLength(1);
  });
});

describe("svc webhooks listen, at a real svc", () => {
  it("forwards the events of the key from now on, signed, and only those asked for", async () => {
    await queues.call("/projects", { body: { name: "before" } });
    const got: { body: string; headers: IncomingHttpHeaders }[] = [];
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      got.push({ body, headers: request.headers });
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const port = String((server.address() as AddressInfo).port);
    const command = type(["webhooks", "listen", "--forward", port, "--events", "project.created,project.archived"]);
    try {
      await expect.poll(() => command.said.err).toContain("The signing secret is ");
      const { id } = (await queues.call("/projects", { body: { name: "during" } })).body;
      await queues.call(`/projects/${id}`, { method: "PATCH", body: { name: "renamed" } });
      await queues.call(`/projects/${id}`, { method: "DELETE" });
      await expect.poll(() => got).toHaveLength(2);
      const secret = /secret is (\S+)/.exec(command.said.err)?.[1] ?? "";
      const events = await Promise.all(got.map(({ body, headers }) => webhooks.verify(body, headers, secret)));
      expect(events.map((event) => event.type)).toEqual(["project.created", "project.archived"]);
      expect(events[0]).toMatchObject({ mode: "live", data: { id, name: "during" } });
      await expect.poll(() => command.said.out).toMatch(/ {2}200 {2}\d+ ms {2}project.archived {2}evt_\w+\n$/);
      expect(await command.end()).toBe(0);
    } finally {
      await command.end();
      server.close().closeAllConnections();
    }
  });

  it("names a kind that is close to a misspelled one", async () => {
    const { done, said } = type(["webhooks", "listen", "--forward", "4000", "--events", "project.craeted"]);
    expect([await done, said.err]).toEqual([2, expect.stringContaining('did you mean "project.created"?')]);
  });
});
