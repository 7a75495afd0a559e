import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fileFolder } from "../../test/factories/file-folder";
import { messageOf, queueServer } from "../../test/factories/queue-server";
import type { Io } from "./io";
import { main } from "./main";

const KEY = `svc_test_${"a".repeat(48)}`;
/** A second of the command is 10 ms of the test; what it waits for is still real. */
const PACE = 1 / 100;
const folder = fileFolder("svc-consume-");

const servers: { close: () => void }[] = [];
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  for (const server of servers.splice(0)) server.close();
});

async function fakeQueue(...made: Parameters<typeof queueServer>): ReturnType<typeof queueServer> {
  const server = await queueServer(...made);
  servers.push(server);
  return server;
}

function start(svc: string, argv: readonly string[], env: Record<string, string> = {}) {
  const said = { out: "", err: "" };
  const [stop, kill] = [new AbortController(), new AbortController()];
  const io: Io = {
    stdout: { write: (text) => (said.out += text) },
    stderr: { write: (text) => (said.err += text) },
    env: { SVC_API_KEY: KEY, SVC_BASE_URL: svc, PATH: process.env.PATH, ...env },
    ask: async () => "",
    input: () => new Blob([]).stream(),
    hostname: "laptop",
    interruption: () => ({ stop: stop.signal, kill: kill.signal }),
    timing: {
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          const ended = (): void => {
            clearTimeout(timer);
            reject(signal?.reason);
          };
          const timer = setTimeout(() => {
            signal?.removeEventListener("abort", ended);
            resolve();
          }, ms * PACE);
          if (signal?.aborted) ended();
          signal?.addEventListener("abort", ended, { once: true });
        }),
    },
  };
  const done = main(["queues", "consume", ...argv], io);
  const end = (): Promise<number> => {
    stop.abort();
    return done;
  };
  ends.push(async () => {
    kill.abort();
    await end();
  });
  return { said, done, stop, kill, end };
}

let logs = 0;
/** A program that appends what it got to a file as JSON, after `code` has run. */
function recorder(code = "") {
  const file = path.join(folder, `${logs++}.log`);
  const program = `
    const fs = require("node:fs");
    const input = fs.readFileSync(0, "utf8");
    const { SVC_MESSAGE_ID: id, SVC_GROUP_ID: group, SVC_RECEIVE_COUNT: count, SVC_SENT_AT: sent } = process.env;
    const log = (event) => fs.appendFileSync(process.argv[1], JSON.stringify({ event, id, group, count, sent, input }) + "\\n");
    ${code || 'log("ran");'}`;
  const seen = () => {
    try {
      return readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, string | undefined>);
    } catch {
      return [];
    }
  };
  return { argv: ["--", process.execPath, "-e", program, file], seen, ids: () => seen().map(({ id }) => id) };
}
/** Runs until the file that the message names exists. */
const UNTIL_TOLD = `log("started"); const told = process.argv[1] + "." + id;
  const timer = setInterval(() => { if (fs.existsSync(told)) { clearInterval(timer); log("ended"); } }, 2);`;

describe("svc queues consume", () => {
  it("runs the command with the body and the facts of each message, and acknowledges on exit 0", async () => {
    const bodies = [{ a: "Grüße 👋" }, "text", "", '"; exit 1 #', {}];
    const queue = await fakeQueue(bodies.map((body, n) => messageOf(n, { body, group: n === 1 ? "g1" : null })));
    const program = recorder();
    const { done, said } = start(queue.url, ["orders", "--once", ...program.argv], { SVC_GROUP_ID: "outer" });
    expect(await done).toBe(0);
    expect(program.seen().map(({ input }) => input)).toEqual(['{"a":"Grüße 👋"}', "text", "", '"; exit 1 #', "{}"]);
    expect(program.seen().map(({ group }) => group)).toEqual([undefined, "g1", undefined, undefined, undefined]);
    expect(program.seen()[0]).toMatchObject({ id: "msg_0", count: "1", sent: "2027-01-15T08:00:00.000Z" });
    expect(queue.state.acknowledged).toEqual(["rcp_0", "rcp_1", "rcp_2", "rcp_3", "rcp_4"]);
    expect(queue.state.returned).toEqual([]);
    expect(said.err.trim().split("\n")).toHaveLength(5);
    expect(said.err).toMatch(/^acknowledged {2}msg_0 {2}\d+ ms\n/);
  });

  it("long-polls for 20 s, one message at a time, with the queue's visibility timeout", async () => {
    const queue = await fakeQueue([messageOf(1)], { visibility: 45 });
    const { end, said } = start(queue.url, ["orders", ...recorder().argv]);
    await expect.poll(() => queue.state.asked).toHaveLength(2);
    expect(queue.state.asked[1]).toBe("max_messages=1&wait_seconds=20&visibility_timeout_s=45");
    expect(await end()).toBe(0);
    expect(said.err).toMatch(/^Waiting for messages of orders; Ctrl-C ends it.\nacknowledged/);
  });

  it("returns a message whose command fails, and the later ones of its group before it", async () => {
    const messages = [messageOf(1, { group: "a" }), messageOf(2, { group: "a" }), messageOf(3, { group: "b" })];
    const queue = await fakeQueue(messages);
    const program = recorder('log("ran"); process.exitCode = id === "msg_1" ? 7 : 0;');
    const argv = ["orders", "--once", "--quiet", "--max-messages", "10", "--retry-delay", "3", ...program.argv];
    const { done, said } = start(queue.url, argv);
    expect(await done).toBe(1);
    expect(program.ids()).toEqual(["msg_1", "msg_3"]);
    expect(queue.state.returned).toEqual([
      ["rcp_2", 0],
      ["rcp_1", 3],
    ]);
    expect(queue.state.acknowledged).toEqual(["rcp_3"]);
    expect(said.err).toMatch(/^returned {2}msg_1 {2}\d+ ms {2}exit status 7 {2}receive 1\n$/);
  });

  it("returns a message whose command was killed or did not read its input", async () => {
    const queue = await fakeQueue([messageOf(1, { body: "x".repeat(256 * 1024) }), messageOf(2)]);
    const program = ["--", process.execPath, "-e", 'process.kill(process.pid, "SIGKILL")'];
    const { done, said } = start(queue.url, ["orders", "--once", ...program]);
    expect(await done).toBe(1);
    expect(queue.state.returned.map(([receipt]) => receipt)).toEqual(["rcp_1", "rcp_2"]);
    expect(said.err).toContain("ended by SIGKILL");
  });

  it("runs as many at a time as allowed, but one of each group, in order", async () => {
    const queue = await fakeQueue(["a", "a", "b", "c", "a"].map((group, n) => messageOf(n, { group })));
    const program = recorder(UNTIL_TOLD);
    const argv = ["orders", "--once", "--concurrency", "2", "--max-messages", "5", ...program.argv];
    const { done } = start(queue.url, argv);
    const started = () => program.seen().flatMap(({ event, id = "" }) => (event === "started" ? [id] : []));
    /** What may start, once the message before it is done. */
    const steps = [
      ["", ["msg_0", "msg_2"]],
      ["msg_2", ["msg_0", "msg_2", "msg_3"]],
      ["msg_0", ["msg_0", "msg_1", "msg_2", "msg_3"]],
      ["msg_1", ["msg_0", "msg_1", "msg_2", "msg_3", "msg_4"]],
    ] as const;
    for (const [finished, expected] of steps) {
      if (finished) tell(program, finished);
      await expect.poll(() => started().toSorted()).toEqual(expected);
    }
    tell(program, "msg_3");
    tell(program, "msg_4");
    expect(await done).toBe(0);
    expect(queue.state.acknowledged.toSorted()).toEqual(["rcp_0", "rcp_1", "rcp_2", "rcp_3", "rcp_4"]);
  });

  it("extends what runs and what waits until it is done", async () => {
    const queue = await fakeQueue([messageOf(1), messageOf(2)]);
    const program = recorder(UNTIL_TOLD);
    const { done } = start(queue.url, ["orders", "--once", "--max-messages", "2", ...program.argv]);
    await expect.poll(() => queue.state.extended.filter((one) => one === "rcp_2").length).toBeGreaterThan(2);
    expect(queue.state.extended).toContain("rcp_1");
    tell(program, "msg_1");
    tell(program, "msg_2");
    expect(await done).toBe(0);
    expect(queue.state.acknowledged).toEqual(["rcp_1", "rcp_2"]);
  });

  it("starts nothing whose lease has ended, and says so of what already runs", async () => {
    const queue = await fakeQueue([messageOf(1), messageOf(2)]);
    queue.state.expired = new Set(["rcp_1", "rcp_2"]);
    const program = recorder(UNTIL_TOLD);
    const { done, said } = start(queue.url, ["orders", "--once", "--max-messages", "2", ...program.argv]);
    await expect.poll(() => queue.state.extended).toContain("rcp_2");
    // The second extension contains only what is still held.
    await expect.poll(() => queue.state.extended.filter((one) => one === "rcp_1").length).toBeGreaterThan(1);
    tell(program, "msg_1");
    expect(await done).toBe(1);
    expect(program.ids()).toEqual(["msg_1", "msg_1"]);
    expect([queue.state.acknowledged, queue.state.returned]).toEqual([[], []]);
    expect(said.err).toMatch(/lease ended {2}msg_1/);
  });

  it("on Ctrl-C returns what waits at once, lets the running command finish, and exits with 0", async () => {
    const queue = await fakeQueue([messageOf(1), messageOf(2), messageOf(3)]);
    const program = recorder(UNTIL_TOLD);
    const { end, stop } = start(queue.url, ["orders", "--max-messages", "3", ...program.argv]);
    await expect.poll(program.ids).toEqual(["msg_1"]);
    stop.abort();
    await expect
      .poll(() => queue.state.returned)
      .toEqual([
        ["rcp_2", 0],
        ["rcp_3", 0],
      ]);
    expect(queue.state.acknowledged).toEqual([]);
    tell(program, "msg_1");
    expect(await end()).toBe(0);
    expect(queue.state.acknowledged).toEqual(["rcp_1"]);
    expect(program.ids()).toEqual(["msg_1", "msg_1"]);
  });

  it("on a second Ctrl-C ends the command and what it has started, and returns the message at once", async () => {
    const queue = await fakeQueue([messageOf(1)]);
    const child = 'require("node:fs").appendFileSync(process.argv[1], ""); setInterval(() => {}, 1000)';
    const program = recorder(`
      const inner = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}, process.argv[1]]);
      input; log(String(inner.pid)); setInterval(() => {}, 1000);`);
    const { done, stop, kill } = start(queue.url, ["orders", ...program.argv]);
    await expect.poll(() => program.seen()).toHaveLength(1);
    const inner = Number(program.seen()[0]?.event);
    stop.abort();
    kill.abort();
    expect(await done).toBe(0);
    expect(queue.state.returned).toEqual([["rcp_1", 0]]);
    await expect.poll(() => isRunning(inner)).toBe(false);
  });

  it("waits for a svc that does not respond, says so once, and goes on", async () => {
    const queue = await fakeQueue([]);
    const program = recorder();
    const { said, end } = start(queue.url, ["orders", ...program.argv]);
    await expect.poll(() => queue.state.asked.length).toBe(1);
    queue.state.status = 503;
    await expect.poll(() => queue.state.asked.length).toBeGreaterThan(4);
    queue.state.waiting.push(messageOf(1));
    queue.state.status = 200;
    await expect.poll(() => queue.state.acknowledged).toEqual(["rcp_1"]);
    // It prints the line of a message when the server has answered, which is after the server knows.
    expect(await end()).toBe(0);
    expect(said.err.match(/Messages will be received when svc responds again/g)).toHaveLength(1);
    expect(said.err.match(/svc responds again\.\nack/g)).toHaveLength(1);
  });

  it("works with a key that may not read the queue's settings", async () => {
    const queue = await fakeQueue([messageOf(1)]);
    queue.state.queueStatus = 403;
    expect(await start(queue.url, ["orders", "--once", ...recorder().argv]).done).toBe(0);
    expect(queue.state.asked[0]).toBe("max_messages=1&wait_seconds=0&visibility_timeout_s=30");
  });

  it("ends, and returns the messages, if the command does not exist", async () => {
    const queue = await fakeQueue([messageOf(1), messageOf(2), messageOf(3)]);
    const { done, said } = start(queue.url, ["orders", "--max-messages", "2", "--", "/none/at/all", "--json"]);
    expect(await done).toBe(2);
    expect(said.err).toContain("svc: /none/at/all: the command could not be started (ENOENT).");
    expect(queue.state.returned.toSorted()).toEqual([
      ["rcp_1", 0],
      ["rcp_2", 0],
    ]);
    expect(queue.state.waiting).toHaveLength(1);
  });

  it("ends with the status of the failure when svc rejects the queue or the key", async () => {
    const queue = await fakeQueue([]);
    queue.state.queueStatus = 404;
    const missing = start(queue.url, ["orders", ...recorder().argv]);
    expect(await missing.done).toBe(1);
    expect(missing.said.err).toContain("The queue says not_found.");
    queue.state.queueStatus = 200;
    queue.state.status = 401;
    expect(await start(queue.url, ["orders", ...recorder().argv]).done).toBe(3);
  });

  it.each([
    [["orders"], "<command> is missing: write the program to run after --."],
    [["orders", "--"], "<command> is missing: write the program to run after --."],
    [["orders", "node", "a.js"], '"node" is an unexpected argument; write the program to run after --.'],
    [["--", "node"], "<queue> is missing."],
    [["orders", "--concurrency", "0", "--", "node"], "--concurrency: it must be a whole number from 1 to 100"],
    [["orders", "--retry-delay", "901", "--", "node"], "--retry-delay: it must be a whole number from 0 to 900"],
    [["orders", "--onc", "--", "node"], 'Unknown flag --onc; did you mean "once"?'],
  ])("%j is rejected before anything is asked for", async (argv, words) => {
    const queue = await fakeQueue([]);
    const { done, said } = start(queue.url, argv);
    expect(await done).toBe(2);
    expect(said.err).toContain(words);
    expect(queue.state.asked).toEqual([]);
  });
});

function tell(program: { argv: string[] }, id: string): void {
  writeFileSync(`${program.argv.at(-1)}.${id}`, "");
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
